import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  approximateKl,
  clipMetrics,
  explainedVariance,
  type KlName,
  meanEntropy,
  ratioExtremes,
  tokenMean,
  weightStatistics,
} from '../../algorithms/index.js'
import { bool, exp, f32 } from '../../dsl/index.js'
import { law } from '../law.js'
import { anyBatch, anyJunk, anyReward, type BatchValues, batchSpec, close, numbers, reader, run } from './batches.js'

const few = { runs: 60 }

const clip = { low: 0.2, high: 0.4 }

const metrics = reader(batchSpec, (given) => ({
  ...clipMetrics({ clip, dualClip: 3, aggregation: tokenMean })(given),
  ...ratioExtremes()(given),
  k1: approximateKl(tokenMean, 'k1')(given),
  k2: approximateKl(tokenMean)(given),
  k3: approximateKl(tokenMean, 'k3')(given),
  entropy: meanEntropy(tokenMean)(given.responseMask)(given.logProbs),
  explained: explainedVariance(given.responseMask)(given.advantages, given.oldLogProbs),
  effective: weightStatistics({ bound: 1e9, aggregation: tokenMean })(exp(given.logProbs), given.responseMask).effectiveSampleSize,
}))

type Metric = keyof ReturnType<typeof metrics>

/** A response token in plain numbers. */
interface Token {
  readonly ratio: number
  readonly advantage: number
}

const tokensOf = ({ logProbs, oldLogProbs, advantages, responseMask }: BatchValues): readonly Token[] =>
  [...responseMask.data].flatMap((m, i) =>
    m === 1 ? [{ ratio: Math.exp(logProbs.data[i]! - oldLogProbs.data[i]!), advantage: advantages.data[i]! }] : [],
  )

/** 0 of none. */
const meanOf = (x: readonly number[]): number => x.reduce((sum, e) => sum + e, 0) / Math.max(x.length, 1)

const share = (holds: (token: Token) => boolean) => (tokens: readonly Token[]) => meanOf(tokens.map((token) => Number(holds(token))))

const isLow = ({ ratio, advantage }: Token): boolean => advantage < 0 && ratio < 1 - clip.low
const isHigh = ({ ratio, advantage }: Token): boolean => advantage > 0 && ratio > 1 + clip.high

const inWords: Readonly<Partial<Record<Metric, (tokens: readonly Token[]) => number>>> = {
  clipFraction: share((token) => isLow(token) || isHigh(token)),
  lowClipFraction: share(isLow),
  highClipFraction: share(isHigh),
  dualClipFraction: share(({ ratio, advantage }) => advantage < 0 && ratio > 3),
  least: (tokens) => (tokens.length === 0 ? 1 : Math.min(...tokens.map(({ ratio }) => ratio))),
  greatest: (tokens) => (tokens.length === 0 ? 1 : Math.max(...tokens.map(({ ratio }) => ratio))),
  k1: (tokens) => meanOf(tokens.map(({ ratio }) => -Math.log(ratio))),
  k2: (tokens) => meanOf(tokens.map(({ ratio }) => Math.log(ratio) ** 2 / 2)),
  k3: (tokens) => meanOf(tokens.map(({ ratio }) => ratio - 1 - Math.log(ratio))),
}

describe('metrics', () => {
  law(
    'are over response tokens what their words say',
    fc.property(anyBatch, (batch) => {
      const [made, tokens] = [metrics(batch), tokensOf(batch)]
      return Object.entries(inWords).every(([name, of]) => close(made[name as Metric].data[0]!, of(tokens)))
    }),
    few,
  )

  law(
    'do not change with what stands outside the mask, and are finite without a token',
    fc.property(anyBatch, anyJunk, fc.boolean(), (batch, junk, empty) => {
      const mask = empty ? [...batch.responseMask.data].map(() => 0) : [...batch.responseMask.data]
      const soil = ({ sizes, data }: BatchValues['logProbs']) => ({
        sizes,
        data: [...data].map((x, i) => (mask[i] === 1 ? x : junk[i % junk.length]!)),
      })
      const responseMask = { ...batch.responseMask, data: mask }
      const [clean, soiled] = [
        metrics({ ...batch, responseMask }),
        metrics({
          logProbs: soil(batch.logProbs),
          oldLogProbs: soil(batch.oldLogProbs),
          refLogProbs: soil(batch.refLogProbs),
          advantages: soil(batch.advantages),
          responseMask,
        }),
      ]
      return Object.entries(clean).every(([name, x]) => {
        const [before, after] = [x.data[0]!, soiled[name as Metric].data[0]!]
        return Object.is(before, after) && Number.isFinite(before)
      })
    }),
    few,
  )

  law(
    'of the KL are at the old policy 0, and k2 and k3 never below',
    fc.property(anyBatch, (batch) => {
      const [apart, together] = [metrics(batch), metrics({ ...batch, logProbs: batch.oldLogProbs })]
      const names = ['k1', 'k2', 'k3'] as const satisfies readonly KlName[]
      return names.every((name) => together[name].data[0] === 0) && [apart.k2, apart.k3].every(({ data }) => data[0]! >= 0)
    }),
    few,
  )

  law(
    'the effective sample size of each weight is above 0 and at most 1, and 1 where all weigh the same',
    fc.property(anyBatch, (batch) => {
      const same = { ...batch, logProbs: { ...batch.logProbs, data: [...batch.logProbs.data].map(() => -1) } }
      const hasToken = tokensOf(batch).length > 0
      const [some, all] = [batch, same].map((values) => metrics(values).effective.data[0]!)
      return !hasToken || (some! > 0 && some! <= 1 + 1e-12 && close(all!, 1))
    }),
    few,
  )
})

describe('the explained variance', () => {
  const explained = (values: readonly number[], returns: readonly number[]): number => {
    const sizes = [1, values.length]
    const given = { values: { sizes, data: values }, returns: { sizes, data: returns }, mask: { sizes, data: values.map(() => 1) } }
    const spec = { values: f32('batch', 'time'), returns: f32('batch', 'time'), mask: bool('batch', 'time') }
    return run(spec, given, ({ values, returns, mask }) => ({ x: explainedVariance(mask)(values, returns) })).x.data[0]!
  }

  law(
    'does not change if all returns and values move together',
    fc.property(fc.tuple(numbers(4, anyReward), numbers(4, anyReward)), ([values, quarters]) => {
      const returns = quarters.map((r, i) => Math.round(r) + i) // no two alike, so that the variance is no rounding
      const moved = (x: readonly number[]): readonly number[] => x.map((e) => e + 1)
      return close(explained(values, returns), explained(moved(values), moved(returns)))
    }),
    few,
  )

  test.each([
    ['1 of an exact critic', [1, 2, 4], [1, 2, 4], 1],
    ['1 of one that is off by a constant', [2, 3, 5], [1, 2, 4], 1],
    ['0 of one that says the mean', [2, 2, 2], [1, 2, 3], 0],
    ['below 0 of one that is worse than the mean', [3, 2, 1], [1, 2, 3], -3],
    ['0 where all returns are equal', [1, 2, 3], [5, 5, 5], 0],
  ])('is %s', (_, values, returns, expected) => expect(explained(values, returns)).toBeCloseTo(expected, 12))
})
