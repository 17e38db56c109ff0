import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  categoricalKl,
  type DistillationBatch,
  distillationLoss,
  likelihoodLoss,
  rowMeanTokenMean,
  type ScoredResponse,
  tokenMean,
  weightedLosses,
} from '../../algorithms/index.js'
import { valueAndGrad } from '../../autodiff/index.js'
import { evaluate } from '../../backends/cpu/evaluate.js'
import { bool, defineLoss, f32, i32, nested, program, type Tensor, tokenLogProbs } from '../../dsl/index.js'
import { expectRightGradient } from '../dsl/right-gradient.js'
import { law } from '../law.js'
import { right } from '../right.js'
import { allZero, close } from './batches.js'

const vocab = 3

const batchSpec = {
  logits: f32('batch', 'time', 'vocab'),
  teacherLogits: f32('batch', 'time', 'vocab'),
  responseMask: bool('batch', 'time'),
}

type Logits = readonly (readonly (readonly number[])[])[]

interface Values {
  readonly logits: Logits
  readonly teacherLogits: Logits
  readonly responseMask: readonly (readonly number[])[]
}

const anyValues: fc.Arbitrary<Values> = fc
  .record({ batch: fc.integer({ min: 1, max: 3 }), time: fc.integer({ min: 1, max: 3 }) })
  .chain(({ batch, time }) => {
    const of = <T>(element: fc.Arbitrary<T>, size: number): fc.Arbitrary<T[]> => fc.array(element, { minLength: size, maxLength: size })
    const logits = of(of(of(fc.double({ min: -4, max: 4, noNaN: true }), vocab), time), batch)
    return fc.record({ logits, teacherLogits: logits, responseMask: of(of(fc.constantFrom(0, 1), time), batch) })
  })

const softmax = (z: readonly number[]): readonly number[] => {
  const weights = z.map(Math.exp)
  return weights.map((w) => w / weights.reduce((x, y) => x + y, 0))
}

const kl = (p: readonly number[], q: readonly number[]): number => p.reduce((sum, x, i) => sum + x * Math.log(x / q[i]!), 0)

const lost = (config: Parameters<typeof distillationLoss>[0], { logits, teacherLogits, responseMask }: Values) => {
  const made = program({
    inputs: batchSpec,
    body: ({ responseMask: mask, ...fields }) => ({
      outputs: valueAndGrad((p: typeof fields) => distillationLoss(config)({ ...p, responseMask: mask }))(fields),
    }),
  })
  return right(evaluate(made, { logits: nested(logits), teacherLogits: nested(teacherLogits), responseMask: nested(responseMask) })).outputs
}

const few = { runs: 40 }

describe('distillation', () => {
  law(
    'is T² times the mean of KL(teacher‖student) of the tempered distributions',
    fc.property(anyValues, fc.constantFrom(0.5, 1, 4), (values, temperature) => {
      const divergences = values.responseMask.flatMap((row, b) =>
        row.flatMap((m, t) => {
          const tempered = (z: readonly number[]): readonly number[] => softmax(z.map((x) => x / temperature))
          return m === 0 ? [] : [kl(tempered(values.teacherLogits[b]![t]!), tempered(values.logits[b]![t]!))]
        }),
      )
      const expected = (temperature ** 2 * divergences.reduce((x, y) => x + y, 0)) / Math.max(divergences.length, 1)
      return close(lost({ temperature }, values).value.data[0]!, expected)
    }),
    few,
  )

  law(
    'has no gradient into the teacher, nor outside the mask, whatever lies there',
    fc.property(anyValues, fc.constantFrom(NaN, Infinity, -Infinity), (values, junk) => {
      const soil = (of: Logits): Logits =>
        of.map((rows, b) => rows.map((z, t) => (values.responseMask[b]![t] === 1 ? z : z.map(() => junk))))
      const [clean, dirty] = [
        lost({}, values),
        lost({}, { ...values, logits: soil(values.logits), teacherLogits: soil(values.teacherLogits) }),
      ]
      return (
        allZero(dirty.grad.teacherLogits) &&
        dirty.value.data[0] === clean.value.data[0] &&
        [...dirty.grad.logits.data].every(
          (g, i) => g === clean.grad.logits.data[i] && (values.responseMask.flat()[Math.floor(i / vocab)] === 1 || g === 0),
        )
      )
    }),
    few,
  )

  law(
    'of a student that is the teacher is 0 with zero gradient, and of no response tokens too',
    fc.property(anyValues, (values) => {
      const same = lost({ temperature: 2 }, { ...values, teacherLogits: values.logits })
      const none = lost({}, { ...values, responseMask: values.responseMask.map((row) => row.map(() => 0)) })
      return (
        [...same.grad.logits.data, ...same.value.data].every((x) => Math.abs(x) < 1e-12) && allZero(none.value) && allZero(none.grad.logits)
      )
    }),
    few,
  )

  test('of (½, ½, 0) against uniform thirds is log(3/2): what the teacher cannot say adds nothing', () => {
    const { value, grad } = lost({}, { teacherLogits: [[[0, 0, -Infinity]]], logits: [[[1, 1, 1]]], responseMask: [[1]] })
    expect(value.data[0]).toBeCloseTo(Math.log(3 / 2), 14)
    expect([...grad.logits.data].map((g) => Number(g.toFixed(12)))).toEqual(
      [1 / 3 - 1 / 2, 1 / 3 - 1 / 2, 1 / 3].map((g) => Number(g.toFixed(12))),
    )
  })

  test('mixed with the labels has the right gradient', () => {
    expectRightGradient(
      defineLoss({
        name: 'distillation and labels',
        inputs: { ...batchSpec, ids: i32('batch', 'time') },
        loss: ({ ids, ...batch }) =>
          weightedLosses<DistillationBatch & ScoredResponse>(
            { weight: 0.3, loss: likelihoodLoss(tokenMean) },
            { weight: 0.7, loss: distillationLoss({ temperature: 2, aggregation: rowMeanTokenMean }) },
          )({ ...batch, logProbs: pipe(batch.logits, tokenLogProbs('vocab')(ids)) }),
      }),
      { sizes: { vocab } },
    )
  })

  test('KL has a gradient into both', () => {
    expectRightGradient(
      defineLoss({
        name: 'KL',
        inputs: { p: f32('vocab'), q: f32('vocab') },
        loss: ({ p, q }: { readonly p: Tensor<'vocab'>; readonly q: Tensor<'vocab'> }) => categoricalKl('vocab')(p, q),
      }),
    )
  })
})
