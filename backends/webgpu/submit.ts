import type { Givens } from '../givens.js'
import type { Prepared } from './prepared.js'
import type { Ready } from './ready.js'
import type { Stamps } from './stamps.js'

/** The buffers that one run uses besides those of the device's tensors. */
export interface RunBuffers {
  readonly arena: GPUBuffer | undefined
  readonly staging: GPUBuffer | undefined
  /** Where the run is timed. */
  readonly stamps: Stamps | undefined
}

/** The plan's commands in their order, in as few passes as its copies allow; where they are timed, each in a pass of its own. */
const encodeCommands = (encoder: GPUCommandEncoder, { plan, compiled }: Ready, prepared: Prepared, { arena, stamps }: RunBuffers): void => {
  const groups = prepared.groups(arena)
  let pass: GPUComputePassEncoder | undefined
  let dispatch = 0
  for (const command of plan.commands)
    if (command.tag === 'copy') {
      pass?.end()
      pass = undefined
      copy(encoder, prepared, arena, command.from, command.to)
    } else {
      const at = dispatch++
      const grid = prepared.grids[at]
      if (grid === undefined) continue
      if (stamps !== undefined) pass?.end()
      pass = stamps === undefined ? (pass ?? encoder.beginComputePass()) : encoder.beginComputePass({ timestampWrites: stamps.around(at) })
      pass.setPipeline(compiled[command.kernel]!.pipeline)
      pass.setBindGroup(0, groups[at])
      pass.dispatchWorkgroups(...grid)
    }
  pass?.end()
}

const copy = (encoder: GPUCommandEncoder, { places }: Prepared, arena: GPUBuffer | undefined, from: number, to: number): void => {
  const [source, target] = [places(from, arena), places(to, arena)]
  if (source !== undefined && target !== undefined)
    encoder.copyBufferToBuffer(source.buffer, source.offset, target.buffer, target.offset, source.size)
}

/** Write what the run is given, run the plan and copy what it makes to where the host reads it: one encoder, one submit. */
export const submitRun = (ready: Ready, prepared: Prepared, { uploads, copies }: Givens<GPUBuffer>, buffers: RunBuffers): void => {
  const { arena, staging, stamps } = buffers
  const { device } = ready.gpu
  device.queue.writeBuffer(ready.parameters, 0, prepared.words)
  for (const [buffer, elements] of uploads) {
    const place = prepared.places(buffer, arena)
    if (place !== undefined) device.queue.writeBuffer(place.buffer, place.offset, elements)
  }
  const encoder = device.createCommandEncoder()
  for (const [buffer, { place: from }] of copies) {
    const place = prepared.places(buffer, arena)
    if (place !== undefined) encoder.copyBufferToBuffer(from, 0, place.buffer, place.offset, place.size)
  }
  encodeCommands(encoder, ready, prepared, buffers)
  stamps?.resolve(encoder)
  for (const { buffer, at } of prepared.downloads) {
    const place = prepared.places(buffer, arena)
    if (place !== undefined && staging !== undefined) encoder.copyBufferToBuffer(place.buffer, place.offset, staging, at, place.size)
  }
  device.queue.submit([encoder.finish()])
}
