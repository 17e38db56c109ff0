import { type AnySpec, type Leaf, listed, type Requirements } from '../dsl/index.js'
import { inputName } from './flow.js'
import type { Failure } from './report.js'
import { idLimit, type Ranges } from './sample.js'
import type { Sizes } from './sizes.js'

type BadRange = Extract<Failure, { readonly tag: 'badRange' }>

/** The ranges that no value could come from, or that are an input's that is not there. */
export const rangeFaults = (requirements: Requirements, fit: readonly Sizes[], ranges: Ranges): readonly BadRange[] =>
  Object.entries(ranges).flatMap(([input, range]): readonly BadRange[] => {
    const leaf = requirements.givens.find(({ path }) => inputName(path) === input)
    const numbers = typeof range === 'function' ? [] : range
    const because =
      leaf === undefined
        ? `the loss has no such input; it has ${listed(requirements.givens.map(({ path }) => inputName(path)))}`
        : typeof range === 'function'
          ? undefined
          : complaint(requirements, fit, leaf, range)
    return because === undefined ? [] : [{ tag: 'badRange', input, range: numbers, because }]
  })

const complaint = (
  requirements: Requirements,
  fit: readonly Sizes[],
  leaf: Leaf<AnySpec>,
  [low, high]: readonly [number, number],
): string | undefined => {
  if (!Number.isFinite(low) || !Number.isFinite(high) || low > high) return `its ends must be finite numbers, the lower one first`
  const { dtype } = leaf.value
  if (dtype === 'f32') return undefined
  if (dtype === 'bool') return `the input is a bool, whose values are 0 and 1`
  if (!Number.isInteger(low) || !Number.isInteger(high)) return `the input is ${dtype}, and its ends must be whole numbers`
  const limit = Math.min(...fit.map((sizes) => idLimit(leaf, sizes, requirements)))
  return low < 0 && Number.isFinite(limit)
    ? `the input points into an axis, whose first place is 0`
    : high > limit
      ? `the input points into an axis, whose last place is at most ${String(limit)}`
      : undefined
}
