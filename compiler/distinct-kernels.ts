import type { Step } from './in-place.js'
import type { Kernel } from './loop-ir.js'
import { schedule } from './schedule.js'

/** Kernels that differ in nothing but what their parameters hold are one kernel. */
export const distinctKernels = (steps: readonly Step[]): { readonly kernels: readonly Kernel[]; readonly kernelOf: readonly number[] } => {
  const known = new Map<string, number>()
  const kernels: Kernel[] = []
  const kernelOf = steps.map(({ tensor: { node }, lowered }) => {
    const { buffers, parameters, space } = lowered
    const written = new Set(buffers.flatMap(({ access }, i) => (access === 'read' ? [] : [i])))
    const kernel = {
      buffers,
      parameters: parameters.map(({ tag }): 'i32' | 'f32' => (tag === 'size' ? 'i32' : 'f32')),
      space,
      body: schedule(lowered.body, written),
    }
    const text = JSON.stringify(kernel)
    const earlier = known.get(text)
    if (earlier !== undefined) return earlier
    known.set(text, kernels.length)
    kernels.push({ name: `${node.tag === 'map' ? node.op : node.tag}_${String(kernels.length)}`, ...kernel })
    return kernels.length - 1
  })
  return { kernels, kernelOf }
}
