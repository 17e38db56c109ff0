import { baseline, divided, type Divided, keep, multiplesIn, type Plan, shareRows, tile, widen } from '../../compiler/index.js'
import { emitKernel, type EmitSettings } from './emit/kernel.js'
import { type Schedule, usualSchedules } from './schedules.js'

/** Into how many parts a fold is cut: enough to keep a GPU busy, and few enough for one invocation a row to fold them. */
const partsFor = (rows: number): number => Math.max(64, Math.min(1024, Math.floor(65_536 / rows)))

/** A plan as a device with this schedule runs it. */
export const scheduled = <I, S, O>(whole: Plan<I, S, O>, schedule: Schedule = usualSchedules.software): Divided<I, S, O> => {
  const { plan, stepOf } = divided(whole, { partsFor, storageBuffers: baseline.storageBuffers })
  const { tiling, keeps, rowLanes } = schedule
  const inRows = rowLanes === undefined ? plan : shareRows(plan, rowLanes)
  return { plan: tile(widen(keeps === true ? keep(inRows) : inRows), tiling), stepOf }
}

/** The WGSL of one of a scheduled plan's kernels. */
export const wgslOf = (plan: Plan, kernel: number, settings: EmitSettings = {}): string => {
  const found = plan.kernels[kernel]
  return found === undefined ? '' : emitKernel(found, multiplesIn(plan, kernel), settings)
}

/** The WGSL of all of them. */
export const wgslTexts = ({ plan }: Divided): readonly string[] => plan.kernels.map((_, i) => wgslOf(plan, i))
