import * as E from 'fp-ts/lib/Either.js'
import { type Layout, layout } from '../../compiler/index.js'
import { countOf, type Size, sizes } from '../../dsl/index.js'
import type { DeviceError } from '../backend.js'
import type { HeldTensor } from '../held.js'
import { mostPrepared, remembered } from '../remembered.js'
import { groupsFor, type Places, placesIn } from './bind-groups.js'
import { workgroupSizeOf } from './emit/space.js'
import { dispatchesOf, parameterWords } from './parameters.js'
import type { Ready } from './ready.js'

/** Workgroups along x and y. */
export type Grid = readonly [x: number, y: number]

/** An output and the bytes at which the host reads it. */
export interface Download {
  readonly buffer: number
  readonly bytes: number
  readonly at: number
}

type Resident = ReadonlyMap<number, HeldTensor<GPUBuffer>>

/** A program for the sizes and the resident tensors at hand: what is computed once and used at every run with them. */
export interface Prepared {
  readonly layout: Layout
  readonly places: Places
  readonly groups: (arena: GPUBuffer | undefined) => readonly GPUBindGroup[]
  readonly words: Uint8Array
  /** For each dispatch; undefined where there is nothing to do. */
  readonly grids: readonly (Grid | undefined)[]
  readonly downloads: readonly Download[]
  readonly downloadBytes: number
}

/** One invocation for each point; beyond what a dimension may have, the workgroups are folded into two. */
const gridFor = (points: number, workgroupSize: number, mostPerDimension: number): Grid | undefined => {
  if (points === 0) return undefined
  const groups = Math.ceil(points / workgroupSize)
  const rows = Math.ceil(groups / mostPerDimension)
  return [Math.ceil(groups / rows), rows]
}

const downloadsOf = ({ plan }: Ready, { bytes }: Layout): readonly Download[] => {
  let end = 0
  return plan.outputs.map(({ buffer }) => {
    const download = { buffer, bytes: bytes[buffer] ?? 0, at: end }
    end += download.bytes
    return download
  })
}

const prepare = (ready: Ready, bound: ReadonlyMap<string, number>, resident: Resident): E.Either<DeviceError, Prepared> => {
  const {
    gpu: { memory, limits },
    plan,
  } = ready
  const placed = layout(plan, bound, new Set(resident.keys()))
  const largest = Math.max(0, ...placed.bytes)
  if (largest > limits.maxStorageBufferBindingSize) return E.left(memory.tooMuch(largest, limits.maxStorageBufferBindingSize))
  const number = (size: Size): number => sizes.evaluateSize(size, bound) ?? 0
  const places = placesIn(placed, resident)
  const downloads = downloadsOf(ready, placed)
  return E.right({
    layout: placed,
    places,
    groups: groupsFor(ready, places),
    words: parameterWords(plan, ready.blocks, bound),
    grids: dispatchesOf(plan).map(({ kernel, extents }) =>
      gridFor(countOf(extents.map(number)), workgroupSizeOf(plan.kernels[kernel]!), limits.maxComputeWorkgroupsPerDimension),
    ),
    downloads,
    downloadBytes: downloads.reduce((sum, { bytes }) => sum + bytes, 0),
  })
}

export type Prepare = (bound: ReadonlyMap<string, number>, resident: Resident) => E.Either<DeviceError, Prepared>

/** `prepare`; the sizes and tensors that were used last are remembered. */
export const createPrepare = (ready: Ready): Prepare => {
  const remember = remembered<E.Either<DeviceError, Prepared>>(mostPrepared)
  return (bound, resident) => {
    const key = [...bound.values(), ...[...resident].map(([buffer, { tensor }]) => `${buffer}:${tensor.handle}`)].join()
    return remember(key, () => prepare(ready, bound, resident))
  }
}
