import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defineLoss } from '../../../dsl/index.js'
import { expectRightGradient } from '../../dsl/right-gradient.js'
import { law } from '../../law.js'
import { allZero, anyJunk, close } from '../batches.js'
import { coupled, losses, separable } from './losses.js'
import {
  anyPairs,
  lossAndGrad,
  type Lost,
  padded,
  type Pairs,
  pairSpec,
  policyGradients,
  type Responses,
  soiled,
  takePairs,
  withoutTokens,
} from './pairs.js'
import { hasPairs, pairPlaces, total } from './plain.js'

const nameOf = (table: object): fc.Arbitrary<string> => fc.constantFrom(...Object.keys(table))

const lost = (name: string, pairs: Pairs, settings: { readonly across?: number } = {}): Lost => lossAndGrad(losses[name]!(settings))(pairs)

const allClose = (x: readonly number[], y: readonly number[]): boolean => x.length === y.length && x.every((e, i) => close(e, y[i]!))

/** Each run traces and differentiates a loss of its own. */
const few = { runs: 60 }

describe('preference losses', () => {
  test.each(Object.entries(losses))('%s has the gradient that differences have', (name, loss) => {
    const ranges = { 'chosen.logProbs': [-5, -0.1], 'rejected.logProbs': [-5, -0.1], weights: [0.2, 2] } as const
    expectRightGradient(defineLoss({ name, inputs: pairSpec, loss: loss({}) }), { ranges, runs: 15 })
  })

  law(
    'what lies outside the masks changes nothing, and its gradient is zero',
    fc.property(anyPairs, nameOf(losses), anyJunk, (pairs, name, junk) => {
      const [clean, dirty] = [lost(name, pairs), lost(name, soiled(junk)(pairs))]
      const outside = [...pairs.chosen.responseMask, ...pairs.rejected.responseMask].flat().map((m) => m === 0)
      return (
        dirty.value === clean.value && policyGradients(dirty).every((g, i) => g === policyGradients(clean)[i] && (g === 0 || !outside[i]))
      )
    }),
    few,
  )

  law(
    'padding changes nothing: columns on either side, and rows without a token',
    fc.property(
      anyPairs,
      nameOf(losses),
      fc.record({ before: fc.integer({ min: 0, max: 2 }), behind: fc.integer({ min: 0, max: 2 }) }),
      fc.constantFrom(NaN, Infinity, -1),
      (pairs, name, sides, filler) => close(lost(name, padded(filler, sides)(pairs)).value, lost(name, pairs).value),
    ),
    few,
  )

  law(
    'only the log-probabilities of the policy have a gradient',
    fc.property(anyPairs, nameOf(losses), (pairs, name) => {
      const { grad } = lost(name, pairs)
      return allZero(grad.chosen.refLogProbs) && allZero(grad.rejected.refLogProbs) && allZero(grad.weights)
    }),
    few,
  )

  law(
    'a batch without response tokens gives 0 with zero gradients',
    fc.property(anyPairs, nameOf(losses), (pairs, name) => {
      const empty = lost(name, withoutTokens(pairs))
      return empty.value === 0 && policyGradients(empty).every((g) => g === 0)
    }),
    few,
  )

  law(
    'the order of the pairs means nothing',
    fc.property(
      anyPairs.chain((pairs) =>
        fc.record({
          pairs: fc.constant(pairs),
          order: fc.shuffledSubarray([...pairs.weights.keys()], { minLength: pairs.weights.length }),
        }),
      ),
      nameOf(losses),
      ({ pairs, order }, name) => close(lost(name, takePairs(order)(pairs)).value, lost(name, pairs).value),
    ),
    few,
  )

  law(
    'micro-batches that divide by the pairs of the step add up to it, value and gradient',
    fc.property(anyPairs.filter(hasPairs), nameOf(separable), fc.nat({ max: 3 }), (pairs, name, cut) => {
      const across = pairPlaces(pairs).length
      const places = [...pairs.weights.keys()]
      const parts = [places.slice(0, cut), places.slice(cut)].filter((part) => part.length > 0)
      const micro = parts.map((part) => lost(name, takePairs(part)(pairs), { across }))
      const whole = lost(name, pairs, { across })
      const gathered = (['chosen', 'rejected'] as const).flatMap((side) => micro.flatMap(({ grad }) => [...grad[side].logProbs.data]))
      return close(total(micro.map(({ value }) => value)), whole.value) && allClose(gathered, policyGradients(whole))
    }),
    few,
  )

  test.each(Object.entries(coupled))('%s of micro-batches is another loss than of the batch', (_, loss) => {
    // The policy likes one pair's chosen response less than the rejected, the other pair's more; the reference the other way about.
    const response = (policy: readonly number[], reference: readonly number[]): Responses => ({
      logProbs: policy.map((x) => [x]),
      refLogProbs: reference.map((x) => [x]),
      responseMask: [[1], [1]],
    })
    const pairs: Pairs = { chosen: response([-3, -1], [-1, -3]), rejected: response([-1, -3], [-3, -1]), weights: [1, 1] }
    const of = (places: readonly number[]): number => lossAndGrad(loss({ across: 2 }))(takePairs(places)(pairs)).value
    expect(of([0, 1])).toBeCloseTo(Math.LN2, 12)
    expect(of([0]) + of([1])).toBeGreaterThan(Math.LN2 + 0.1)
  })
})
