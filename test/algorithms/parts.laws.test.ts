import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'
import { describe } from 'vitest'
import {
  aggregate,
  completionMask,
  groupAdvantages,
  type GroupSettings,
  fixedDivisor,
  klEstimates,
  type KlName,
  ofStep,
  onSpans,
  policyRatio,
  presets,
  rowMeanTokenMean,
  sequenceMeanTokenMean,
  stepCounts,
  tokenMean,
  verlSequenceMean,
} from '../../algorithms/index.js'
import { bool, f32, i32, type Value } from '../../dsl/index.js'
import { law } from '../law.js'
import { allClose, allZero, anyBatch, anyMemory, anyReward, batchSpec, between, close, memorySpec, run } from './batches.js'

const aggregations = { tokenMean, rowMeanTokenMean, sequenceMeanTokenMean, fixedDivisor: fixedDivisor(), verlSequenceMean }

interface Grouped {
  readonly rewards: readonly number[]
  readonly group: readonly number[]
}

const anyGrouped: fc.Arbitrary<Grouped> = fc.integer({ min: 1, max: 8 }).chain((n) =>
  fc.record({
    rewards: fc.array(fc.oneof(anyReward, fc.constantFrom(0, 1)), { minLength: n, maxLength: n }),
    group: fc.array(fc.integer({ min: 0, max: Math.min(2, n - 1) }), { minLength: n, maxLength: n }),
  }),
)

const anySettings: fc.Arbitrary<GroupSettings> = fc.constantFrom(...Object.values(presets)).map(({ advantages }) => advantages)

const advantagesOf =
  (settings: GroupSettings) =>
  ({ rewards, group }: Grouped): readonly number[] => {
    const sizes = [rewards.length]
    const { a } = run(
      { rewards: f32('batch'), group: i32('batch') },
      { rewards: { sizes, data: rewards }, group: { sizes, data: group } },
      (given) => ({ a: groupAdvantages(settings)(given.rewards, given.group) }),
    )
    return [...a.data]
  }

describe('group advantages', () => {
  law(
    'follow their rows into any order',
    fc.property(
      anyGrouped.chain((grouped) =>
        fc.record({
          grouped: fc.constant(grouped),
          order: fc.shuffledSubarray([...grouped.rewards.keys()], { minLength: grouped.rewards.length }),
        }),
      ),
      anySettings,
      ({ grouped, order }, settings) => {
        const moved = { rewards: order.map((i) => grouped.rewards[i]!), group: order.map((i) => grouped.group[i]!) }
        const a = advantagesOf(settings)(grouped)
        return advantagesOf(settings)(moved).every((x, i) => Math.abs(x - a[order[i]!]!) <= 1e-7)
      },
    ),
  )

  law(
    'have mean 0 in every group of two or more',
    fc.property(anyGrouped, anySettings, (grouped, settings) => {
      const a = advantagesOf(settings)(grouped)
      return [0, 1, 2].every((g) => {
        const members = a.filter((_, i) => grouped.group[i] === g)
        return members.length < 2 || Math.abs(members.reduce((x, y) => x + y, 0)) <= 1e-7
      })
    }),
  )

  law(
    'do not change with what invalid rewards hold',
    fc.property(anyGrouped, anySettings, fc.array(fc.constantFrom(0, 1), { minLength: 8, maxLength: 8 }), (grouped, settings, coins) => {
      const sizes = [grouped.rewards.length]
      const valid = coins.slice(0, grouped.rewards.length)
      const of = (junk: number): Value =>
        run(
          { rewards: f32('batch'), group: i32('batch'), valid: bool('batch') },
          {
            rewards: { sizes, data: grouped.rewards.map((r, i) => (valid[i] === 1 ? r : junk)) },
            group: { sizes, data: grouped.group },
            valid: { sizes, data: valid },
          },
          (given) => ({ a: groupAdvantages(settings)(given.rewards, given.group, { valid: given.valid }) }),
        ).a
      const a = of(NaN)
      return allClose(a, of(0)) && [...a.data].every((x, i) => valid[i] === 1 || x === 0)
    }),
  )
})

const klValues = (name: KlName) => (batch: Parameters<typeof run<typeof batchSpec, never>>[1]) => [
  ...run(batchSpec, batch, (given) => ({ kl: klEstimates[name](given.logProbs, given.refLogProbs) })).kl.data,
]

describe('estimates of the KL', () => {
  law(
    'k2, k3, its clamped form and |d| are never negative',
    fc.property(anyBatch, fc.constantFrom<KlName>('k2', 'k3', 'lowVar', 'abs'), (batch, name) =>
      klValues(name)(batch).every((kl) => kl >= 0),
    ),
  )

  law(
    'k3 is at least 0 within 2 ulp of d, and above 0 where |d| is 1e-6 or more',
    fc.property(between(-6, 0), fc.integer({ min: -8, max: 1 }), between(-9.9, 9.9), (logProb, exponent, digits) => {
      const ref = logProb + digits * 10 ** exponent
      const d = logProb - ref
      const value = (x: number): Value => ({ sizes: [], data: [x] })
      const { kl } = run({ p: f32(), q: f32() }, { p: value(logProb), q: value(ref) }, ({ p, q }) => ({ kl: klEstimates.k3(p, q) }))
      const k3 = kl.data[0]!
      return k3 >= -2 * Math.abs(d) * Number.EPSILON && (Math.abs(d) < 1e-6 || k3 > 0)
    }),
  )

  law(
    'a micro-batch under the counts of its own is the batch',
    fc.property(anyBatch, fc.constantFrom(...Object.values(aggregations)), (batch, how) => {
      const { own, step } = run(batchSpec, batch, ({ logProbs, responseMask }) => ({
        own: pipe(logProbs, aggregate(how)(responseMask)),
        step: pipe(logProbs, aggregate(pipe(how, ofStep(stepCounts(responseMask))))(responseMask)),
      }))
      return own.data[0] === step.data[0]
    }),
    { runs: 40 },
  )

  law(
    'all are 0 where the policies agree',
    fc.property(anyBatch, fc.constantFrom<KlName>('k1', 'k2', 'k3', 'lowVar', 'abs'), (batch, name) =>
      klValues(name)({ ...batch, refLogProbs: batch.logProbs }).every((kl) => kl === 0),
    ),
  )

  law(
    'the clamped form is at most 10 and k3 where that is less',
    fc.property(anyBatch, (batch) => {
      const k3 = klValues('k3')(batch)
      return klValues('lowVar')(batch).every((kl, i) => close(kl, Math.min(10, k3[i]!)))
    }),
  )
})

describe('parts', () => {
  law(
    'a clamped ratio stays within e to the limit, whatever the log-probabilities are',
    fc.property(anyBatch, fc.constantFrom(-1e300, 1e300), (batch, far) => {
      const logProbs = { ...batch.logProbs, data: [...batch.logProbs.data].map(() => far) }
      const { r } = run(batchSpec, { ...batch, logProbs }, (given) => ({ r: policyRatio(given, 20) }))
      return [...r.data].every((x) => close(x, Math.exp(Math.sign(far) * 20)))
    }),
  )

  law(
    'the mean over tokens is the mean of what the mask keeps',
    fc.property(anyBatch, (batch) => {
      const kept = [...batch.logProbs.data].filter((_, i) => batch.responseMask.data[i] === 1)
      const { mean } = run(batchSpec, batch, (given) => ({ mean: pipe(given.logProbs, aggregate(tokenMean)(given.responseMask)) }))
      return close(mean.data[0]!, kept.length === 0 ? 0 : kept.reduce((x, y) => x + y, 0) / kept.length)
    }),
  )

  law(
    'the completion mask ends with the first end of sequence',
    fc.property(
      fc.array(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 4, maxLength: 4 }), { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 0, max: 4 }),
      (ids, eos) => {
        const sizes = [ids.length, 4]
        const { mask } = run(
          { ids: i32('batch', 'time'), notPadding: bool('batch', 'time') },
          { ids: { sizes, data: ids.flat() }, notPadding: { sizes, data: ids.flat().map(() => 1) } },
          (given) => ({ mask: completionMask(eos)(given.ids, given.notPadding) }),
        )
        const expected = ids.flatMap((row) => row.map((_, t) => (row.slice(0, t).includes(eos) ? 0 : 1)))
        return expected.every((m, i) => m === mask.data[i])
      },
    ),
  )

  law(
    'a memory advantage lies on the spans of its turn and nowhere else',
    fc.property(
      anyBatch.chain(({ advantages }) => anyMemory(advantages)),
      ({ memory, spanTurn }) => {
        const { perRow: _, ...spec } = memorySpec
        const { spread } = run(spec, { memory, spanTurn }, (given) => ({ spread: pipe(given.memory, onSpans(given.spanTurn)) }))
        const [, width = 1] = spanTurn.sizes
        const [, turns = 1] = memory.sizes
        return [...spread.data].every((x, i) => {
          const turn = spanTurn.data[i]!
          return x === (turn < 0 ? 0 : memory.data[Math.floor(i / width) * turns + turn])
        })
      },
    ),
  )

  law(
    'equal rewards have advantage 0, unless their group is one',
    fc.property(fc.integer({ min: 2, max: 6 }), anyReward, anySettings, (n, reward, settings) => {
      const a = advantagesOf(settings)({ rewards: Array<number>(n).fill(reward), group: Array<number>(n).fill(0) })
      return allZero({ sizes: [n], data: a.map((x) => (Math.abs(x) < 1e-7 ? 0 : x)) })
    }),
  )
})
