import { keep, multiplesIn, type Plan, tile, widen } from '../../compiler/index.js'
import { emitKernel } from './emit/kernel.js'
import { type Schedule, usualSchedules } from './schedules.js'

/** A plan as a device with this schedule runs it. */
export const scheduled = <I, S, O>(plan: Plan<I, S, O>, schedule: Schedule = usualSchedules.software): Plan<I, S, O> =>
  tile(widen(schedule.keeps === true ? keep(plan) : plan), schedule.tiling)

/** The WGSL of one of a scheduled plan's kernels. */
export const wgslOf = (plan: Plan, kernel: number): string => {
  const found = plan.kernels[kernel]
  return found === undefined ? '' : emitKernel(found, multiplesIn(plan, kernel))
}
