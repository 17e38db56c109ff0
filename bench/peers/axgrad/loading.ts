import type { Device, Loaded } from 'axgrad/backends'
import { costOfPlan, layout, liveBytes, plan, type Plan } from 'axgrad/compiler'
import { bind, givenValues, type Program, sizes, type Size } from 'axgrad/dsl'
import type { Counts } from '../protocol/messages.js'
import { must, mustDo } from './must.js'

/** A program on its device. */
export interface OnDevice {
  readonly plan: Plan
  readonly loaded: Loaded
}

/** A program that is planned and compiled when it is first asked for. */
export const onDemand = (device: Device, program: () => Program<unknown, unknown, unknown>): (() => Promise<OnDevice>) => {
  let made: Promise<OnDevice> | undefined
  const make = async (): Promise<OnDevice> => {
    const planned = must(plan(program()))
    return { plan: planned, loaded: await mustDo(device.load(planned)) }
  }
  return () => (made ??= make())
}

/** What a run with these inputs and this state costs. */
export const countsOf = ({ plan: planned }: OnDevice, inputs: unknown, state: unknown): Counts => {
  const bound = must(bind(planned.requirements, givenValues(planned.program, inputs, state))).sizes
  const number = (size: Size): number => sizes.evaluateSize(size, bound) ?? NaN
  const { reads, writes } = costOfPlan(planned)
  const held = new Set(planned.buffers.flatMap(({ role }, i) => (role.tag === 'given' ? [i] : [])))
  return {
    kernels: planned.kernels.length,
    dispatches: planned.commands.length,
    bytes: number(reads) + number(writes),
    arena: layout(planned, bound, held).arena,
    needed: liveBytes(planned, bound, held),
  }
}
