import type { Step } from './in-place.js'
import { type Kernel, writtenBy } from './loop-ir.js'
import type { Group } from './merge.js'
import { mannerOf } from './rows.js'
import { schedule } from './schedule.js'

/** What a kernel is called by: the first of its members that has loops of its own, else the last. */
const nameOf = ({ members }: Group): string => {
  const { node } = (members.find(({ tensor }) => mannerOf(tensor.node) !== 'pointwise') ?? members.at(-1)!).tensor
  return node.tag === 'map' ? node.op : node.tag
}

/** Kernels that differ in nothing but what their parameters hold are one kernel. */
export const distinctKernels = (steps: readonly Step[]): { readonly kernels: readonly Kernel[]; readonly kernelOf: readonly number[] } => {
  const known = new Map<string, number>()
  const kernels: Kernel[] = []
  const kernelOf = steps.map(({ group, lowered }) => {
    const { buffers, parameters, space } = lowered
    const kernel = {
      buffers,
      parameters: parameters.map(({ tag }): 'i32' | 'f32' => (tag === 'size' ? 'i32' : 'f32')),
      space,
      body: schedule(lowered.body, writtenBy(lowered)),
    }
    const text = JSON.stringify(kernel)
    const earlier = known.get(text)
    if (earlier !== undefined) return earlier
    known.set(text, kernels.length)
    kernels.push({ name: `${nameOf(group)}_${String(kernels.length)}`, ...kernel })
    return kernels.length - 1
  })
  return { kernels, kernelOf }
}
