import {
  baseline,
  divided,
  type Divided,
  inHalves,
  keep,
  multiplesIn,
  multiplyingHalves,
  type Plan,
  shareRows,
  tile,
  widen,
} from '../../compiler/index.js'
import { emitKernel, type EmitSettings } from './emit/kernel.js'
import { type Schedule, usualSchedules } from './schedules.js'

/** Into how many parts a fold is cut: enough to keep a GPU busy, and few enough for one invocation a row to fold them. */
const partsFor = (rows: number): number => Math.max(64, Math.min(1024, Math.floor(65_536 / rows)))

/**
 * How floats are kept and multiplied: `f32`, all in 32 bits, unless said; `f16-storage`, what lies between kernels in 16; `f16`, and what is summed
 * of products multiplied in 16, too. Everything is added in 32.
 */
export type Precision = 'f32' | 'f16-storage' | 'f16'

/** A plan as a device with this schedule runs it. */
export const scheduled = <I, S, O>(
  whole: Plan<I, S, O>,
  schedule: Schedule = usualSchedules.software,
  precision: Precision = 'f32',
): Divided<I, S, O> => {
  const { plan, stepOf } = divided(precision === 'f32' ? whole : inHalves(whole), { partsFor, storageBuffers: baseline.storageBuffers })
  const { tiling, keeps, rowLanes } = schedule
  const inRows = rowLanes === undefined ? plan : shareRows(plan, rowLanes)
  const inTiles = tile(widen(keeps === true ? keep(inRows) : inRows), tiling)
  return { plan: precision === 'f16' ? multiplyingHalves(inTiles) : inTiles, stepOf }
}

/** The WGSL of one of a scheduled plan's kernels. */
export const wgslOf = (plan: Plan, kernel: number, settings: EmitSettings = {}): string => {
  const found = plan.kernels[kernel]
  return found === undefined ? '' : emitKernel(found, multiplesIn(plan, kernel), settings)
}

/** The WGSL of all of them. */
export const wgslTexts = ({ plan }: Divided): readonly string[] => plan.kernels.map((_, i) => wgslOf(plan, i))
