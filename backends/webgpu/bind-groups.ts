import { alignment, type Layout } from '../../compiler/index.js'
import type { HeldTensor } from '../held.js'
import { dispatchesOf } from './parameters.js'
import type { Ready } from './ready.js'
import { inVectors, vectorBytes } from './whole-vectors.js'

/** Part of a buffer. */
export interface Range {
  readonly buffer: GPUBuffer
  readonly offset: number
  readonly size: number
}

/** Where one of the plan's buffers lies; undefined where it is empty. */
export type Places = (buffer: number, arena: GPUBuffer | undefined) => Range | undefined

export const placesIn =
  ({ offsets, bytes }: Layout, resident: ReadonlyMap<number, HeldTensor<GPUBuffer>>): Places =>
  (buffer, arena) => {
    const size = bytes[buffer] ?? 0
    const held = resident.get(buffer)
    if (size === 0) return undefined
    if (held !== undefined) return { buffer: held.place, offset: 0, size }
    return arena && { buffer: arena, offset: offsets[buffer] ?? 0, size }
  }

/** For each dispatch its parameters, then its buffers. An empty one is bound to a place where nothing is. */
const makeGroups = ({ gpu, plan, compiled, blocks, parameters }: Ready, places: Places, arena: GPUBuffer | undefined) =>
  dispatchesOf(plan).map(({ kernel, buffers }, i): GPUBindGroup => {
    const { offset, bytes } = blocks.blocks[i]!
    const ranges: readonly Range[] = [
      { buffer: parameters, offset, size: bytes },
      ...buffers.map((b, binding) => places(b, arena) ?? { buffer: gpu.nothing, offset: alignment * binding, size: vectorBytes }),
    ]
    return gpu.device.createBindGroup({
      layout: compiled[kernel]!.layout,
      entries: ranges.map(({ size, ...range }, binding) => ({ binding, resource: { ...range, size: inVectors(size) } })),
    })
  })

/** The bind groups of all dispatches, made again only where the arena is another buffer. */
export const groupsFor = (ready: Ready, places: Places): ((arena: GPUBuffer | undefined) => readonly GPUBindGroup[]) => {
  let made: { readonly arena: GPUBuffer | undefined; readonly groups: readonly GPUBindGroup[] } | undefined
  return (arena) => {
    if (made === undefined || made.arena !== arena) made = { arena, groups: makeGroups(ready, places, arena) }
    return made.groups
  }
}
