import type { DeviceFacts } from '../../backends/index.js'
import { countOf, isSpec, leaves, report, sizes } from '../../dsl/index.js'
import { decoderSpecs, judgeSpecs } from '../../models/index.js'
import { needsIn, type RunPlan } from '../../training/index.js'

/** How many numbers a tree of specs of known sizes has. */
export const numbersIn = (specs: unknown): number =>
  leaves(isSpec)(specs).reduce((sum, { value: { axes } }) => sum + countOf(axes.map(({ size }) => sizes.known(size) ?? 0)), 0)

/** A run whose parameters a device has no room for. */
export interface NoRoom {
  readonly tag: 'noRoom'
  readonly adapter: string
  readonly parameters: number
  /** Of all that stays on the device between steps. */
  readonly bytes: number
  readonly limit: number
}

const bytesPerNumber = 4

/** A policy or a critic that learns: itself and two moments. */
const learning = 3

/** Whether what stays between steps has a place: looked at before anything is drawn. A GPU does not say how much it has in all, and is asked by each tensor. */
export const roomFor = (plan: RunPlan<unknown>, { adapter, limits }: DeviceFacts): NoRoom | undefined => {
  const limit = limits['maxBufferSize'] ?? Infinity
  const [policy, judge] = [numbersIn(decoderSpecs(plan.model)), numbersIn(judgeSpecs(plan.model))]
  const { reference, critic, rewardModel } = needsIn(plan)
  const numbers = policy * (learning + Number(reference)) + judge * (learning * Number(critic) + Number(rewardModel))
  const isOneMemory = limits['maxStorageBufferBindingSize'] === undefined
  return isOneMemory && bytesPerNumber * numbers > limit
    ? { tag: 'noRoom', adapter, parameters: policy, bytes: bytesPerNumber * numbers, limit }
    : undefined
}

export const renderNoRoom = ({ adapter, parameters, bytes, limit }: NoRoom): string =>
  report(
    `a policy of ${parameters.toLocaleString('en-US')} parameters on ${adapter}`,
    `with its moments and what it is compared with it takes ${bytes.toLocaleString('en-US')} bytes, and there are ${limit.toLocaleString('en-US')}`,
    `make model.embed, model.layers, model.heads or model.ffn smaller`,
  )
