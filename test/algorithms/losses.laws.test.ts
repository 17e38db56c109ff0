import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'
import { describe } from 'vitest'
import {
  aggregate,
  type CispoConfig,
  cispoLoss,
  fixedDivisor,
  gmpoLoss,
  grpoLoss,
  type GrpoConfig,
  gspoLoss,
  mempoLoss,
  presets,
  reinforceLoss,
  responseOnly,
  rowMeanTokenMean,
  sapoLoss,
  sequenceMeanTokenMean,
  sequenceMeanTokenSum,
  tokenMean,
  type Tokens,
  verlSequenceMean,
} from '../../algorithms/index.js'
import { valueAndGrad } from '../../autodiff/index.js'
import { mul, neg, type Scalar } from '../../dsl/index.js'
import { law } from '../law.js'
import {
  allClose,
  allZero,
  anyBatch,
  anyJunk,
  anyMemory,
  type Batch,
  type BatchValues,
  batchSpec,
  close,
  memorySpec,
  run,
} from './batches.js'

type Loss = (batch: Batch) => Scalar

const aggregations = {
  tokenMean,
  sequenceMeanTokenSum,
  sequenceMeanTokenMean,
  rowMeanTokenMean,
  fixedDivisor: fixedDivisor(),
  verlSequenceMean,
}

const anyAggregation = fc.constantFrom(...Object.values(aggregations))

const settings = Object.values(presets)

const anyGrpo: fc.Arbitrary<GrpoConfig> = fc
  .record({ preset: fc.constantFrom(...settings), aggregation: anyAggregation, beta: fc.constantFrom(0, 0.04) })
  .map(({ preset, ...rest }) => ({ ...preset.grpo, ...rest }))

type Described = { readonly grpo: GrpoConfig } | { readonly cispo: CispoConfig }

const anyLoss: fc.Arbitrary<Described> = fc.oneof(
  anyGrpo.map((grpo) => ({ grpo })),
  fc
    .record({ preset: fc.constantFrom(...settings), aggregation: anyAggregation })
    .map(({ preset, aggregation }) => ({ cispo: { ...preset.cispo, aggregation } })),
)

const lossOf = (described: Described): Loss => ('grpo' in described ? grpoLoss(described.grpo) : cispoLoss(described.cispo))

/** A loss and its gradient by every field that is not the mask. */
const lossAndGrad = (loss: Loss) => (values: BatchValues) =>
  run(batchSpec, values, ({ responseMask, ...fields }) => valueAndGrad((p: typeof fields) => loss({ ...p, responseMask }))(fields))

const zeros = ({ sizes, data }: BatchValues['logProbs']): BatchValues['logProbs'] => ({ sizes, data: [...data].map(() => 0) })

const clip = { low: 0.2, high: 0.2 }
const rows = { beta: 0, aggregation: rowMeanTokenMean } as const

/** Losses with another gradient than the plain one only away from the old policy; of whole responses, where a row's tokens weigh the same. */
const atOldPolicy: Readonly<Record<string, Loss>> = {
  twoSided: grpoLoss({ ...rows, clip, ratioCeiling: 2 }),
  sapo: sapoLoss({ ...rows, temperature: { positive: 1, negative: 1.05 } }),
  gspo: gspoLoss({ ...rows, clip, level: 'sequence' }),
  gspoToken: gspoLoss({ ...rows, clip, level: 'token' }),
  gmpo: gmpoLoss({ clip }),
}

/** The first advantage of each row at all of its tokens. */
const perRow = ({ sizes, data }: BatchValues['logProbs']): BatchValues['logProbs'] => ({
  sizes,
  data: [...data].map((_, i) => data[i - (i % sizes[1]!)]!),
})

/** Each run traces and differentiates a loss of its own. */
const few = { runs: 40 }

describe('losses', () => {
  law(
    'at the old policy the clipped loss has the plain policy gradient',
    fc.property(anyBatch, anyAggregation, (batch, aggregation) => {
      const values = { ...batch, logProbs: batch.oldLogProbs }
      const clipped = lossAndGrad(grpoLoss({ clip: { low: 0.2, high: 0.2 }, beta: 0, dualClip: 3, aggregation }))(values)
      const plain = lossAndGrad(({ logProbs, advantages, responseMask }) =>
        pipe(mul(logProbs, pipe(advantages, responseOnly(responseMask))), aggregate(aggregation)(responseMask), neg),
      )(values)
      return allClose(clipped.grad.logProbs, plain.grad.logProbs)
    }),
    few,
  )

  law(
    'CISPO at the old policy has it, too',
    fc.property(anyBatch, anyAggregation, (batch, aggregation) => {
      const values = { ...batch, logProbs: batch.oldLogProbs }
      const cispo = lossAndGrad(cispoLoss({ bounds: { most: 5 }, beta: 0, aggregation }))(values)
      const grpo = lossAndGrad(grpoLoss({ clip: { low: 0.2, high: 0.2 }, beta: 0, aggregation }))(values)
      return allClose(cispo.grad.logProbs, grpo.grad.logProbs)
    }),
    few,
  )

  law(
    'so have the clips that hold on to the ratio itself, the soft gate, and the ratios of whole responses',
    fc.property(anyBatch, fc.constantFrom(...Object.keys(atOldPolicy)), (batch, name) => {
      const values = { ...batch, logProbs: batch.oldLogProbs, advantages: perRow(batch.advantages) }
      const plain = lossAndGrad(reinforceLoss({ beta: 0, aggregation: rowMeanTokenMean })<Tokens>)(values)
      return allClose(lossAndGrad(atOldPolicy[name]!)(values).grad.logProbs, plain.grad.logProbs)
    }),
    few,
  )

  law(
    'the weight of CISPO carries no gradient: it is as data, A·w at each token over their number',
    fc.property(anyBatch, (batch) => {
      const { grad } = lossAndGrad(cispoLoss({ bounds: { least: 0.5, most: 2 }, beta: 0, aggregation: tokenMean }))(batch)
      const [mask, x, old, a] = [batch.responseMask, batch.logProbs, batch.oldLogProbs, batch.advantages].map(({ data }) => [...data])
      const n = Math.max(1, mask!.filter((m) => m === 1).length)
      const weight = (i: number): number => Math.min(2, Math.max(0.5, Math.exp(x![i]! - old![i]!)))
      return [...grad.logProbs.data].every((g, i) => close(g, mask![i] === 1 ? (-weight(i) * a![i]!) / n : 0))
    }),
    few,
  )

  law(
    'zero advantages have zero policy gradient',
    fc.property(anyBatch, anyGrpo, (batch, config) => {
      const { value, grad } = lossAndGrad(grpoLoss({ ...config, beta: 0 }))({ ...batch, advantages: zeros(batch.advantages) })
      return allZero(value) && allZero(grad.logProbs)
    }),
    few,
  )

  law(
    'what tokens outside the mask hold changes nothing, and their gradient is zero',
    fc.property(anyBatch, anyLoss, anyJunk, (batch, loss, junk) => {
      const mask = batch.responseMask.data
      const soil = ({ sizes, data }: BatchValues['logProbs']) => ({
        sizes,
        data: [...data].map((x, i) => (mask[i] === 1 ? x : junk[i % junk.length]!)),
      })
      const clean = lossAndGrad(lossOf(loss))(batch)
      const soiled = lossAndGrad(lossOf(loss))({
        logProbs: soil(batch.logProbs),
        oldLogProbs: soil(batch.oldLogProbs),
        refLogProbs: soil(batch.refLogProbs),
        advantages: soil(batch.advantages),
        responseMask: batch.responseMask,
      })
      const outside = [...soiled.grad.logProbs.data].filter((_, i) => mask[i] === 0)
      return (
        soiled.value.data[0] === clean.value.data[0] &&
        [...soiled.grad.logProbs.data].every((g, i) => g === clean.grad.logProbs.data[i]) &&
        outside.every((g) => g === 0)
      )
    }),
    few,
  )

  law(
    'only the log-probabilities of the policy have a gradient',
    fc.property(anyBatch, anyLoss, (batch, loss) => {
      const { grad } = lossAndGrad(lossOf(loss))(batch)
      return allZero(grad.oldLogProbs) && allZero(grad.refLogProbs) && allZero(grad.advantages)
    }),
    few,
  )

  law(
    'a batch without response tokens gives 0 with zero gradients',
    fc.property(anyBatch, anyLoss, (batch, loss) => {
      const { value, grad } = lossAndGrad(lossOf(loss))({ ...batch, responseMask: zeros(batch.responseMask) })
      return allZero(value) && allZero(grad.logProbs)
    }),
    few,
  )

  law(
    'an advantage per response and the same at each of its tokens are one loss',
    fc.property(anyBatch, anyGrpo, (batch, config) => {
      const [rows = 0, width = 0] = batch.advantages.sizes
      const perRow = Array.from({ length: rows }, (_, b) => batch.advantages.data[b * width]!)
      const perToken = { sizes: [rows, width], data: perRow.flatMap((a) => Array<number>(width).fill(a)) }
      const { narrow, wide } = run(
        { ...batchSpec, advantage: memorySpec.perRow },
        { ...batch, advantages: perToken, advantage: { sizes: [rows], data: perRow } },
        ({ advantage, ...given }) => ({
          narrow: grpoLoss(config)<'batch'>({ ...given, advantages: advantage }),
          wide: grpoLoss(config)(given),
        }),
      )
      return narrow.data[0] === wide.data[0]
    }),
    few,
  )

  law(
    'MemPO with memory advantages of zero is GRPO',
    fc.property(
      anyBatch.chain((batch) => fc.record({ batch: fc.constant(batch), memory: anyMemory(batch.advantages) })),
      anyGrpo,
      ({ batch, memory: { memory, spanTurn } }, config) => {
        const [rows = 0, width = 0] = batch.advantages.sizes
        const outcome = { sizes: [rows], data: Array.from({ length: rows }, (_, b) => batch.advantages.data[b * width]!) }
        const { advantages: _, ...fields } = batchSpec
        const { advantages: __, ...values } = batch
        const { mempo, grpo } = run(
          { ...fields, ...memorySpec },
          { ...values, perRow: outcome, memory: zeros(memory), spanTurn },
          (given) => {
            const common = {
              oldLogProbs: given.oldLogProbs,
              refLogProbs: given.refLogProbs,
              advantages: given.perRow,
              responseMask: given.responseMask,
            }
            return {
              mempo: valueAndGrad((logProbs: typeof given.logProbs) =>
                mempoLoss(config)({ ...common, logProbs, memoryAdvantages: given.memory, spanTurn: given.spanTurn }),
              )(given.logProbs),
              grpo: valueAndGrad((logProbs: typeof given.logProbs) => grpoLoss(config)<'batch'>({ ...common, logProbs }))(given.logProbs),
            }
          },
        )
        return mempo.value.data[0] === grpo.value.data[0] && allClose(mempo.grad, grpo.grad)
      },
    ),
    few,
  )
})
