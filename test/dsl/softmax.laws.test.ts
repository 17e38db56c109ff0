import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { grad } from '../../autodiff/index.js'
import { evaluate } from '../../backends/cpu/evaluate.js'
import { interpret, plan } from '../../compiler/index.js'
import {
  add,
  bool,
  defineLoss,
  entropy,
  equal,
  f32,
  i32,
  iota,
  logSoftmax,
  logSumExp,
  mul,
  or,
  program,
  rename,
  type Scalar,
  select,
  sizeAlong,
  softmax,
  sum,
  type Tensor,
  tokenLogProbs,
} from '../../dsl/index.js'
import { law } from '../law.js'
import { right } from '../right.js'
import { expectRightGradient } from './right-gradient.js'

const weighted = (f: (x: Tensor<'vocab'>) => Tensor<'vocab'>, weights: Tensor<'vocab'>) =>
  grad((x: Tensor<'vocab'>) => pipe(mul(f(x), weights), sum('vocab')))

/** The log-probability of each token in turn. */
const ofEveryToken = (x: Tensor<'vocab'>): Tensor<'vocab'> =>
  pipe(x, tokenLogProbs('vocab')(iota('token', sizeAlong('vocab')(x))), rename({ token: 'vocab' }))

const p = program({
  inputs: { x: f32('vocab'), weights: f32('vocab') },
  body: ({ x, weights }) => ({
    outputs: {
      softmax: softmax('vocab')(x),
      logSoftmax: logSoftmax('vocab')(x),
      tokenLogProbs: ofEveryToken(x),
      logSumExp: logSumExp('vocab')(x),
      entropy: entropy('vocab')(x),
      bySoftmax: weighted(softmax('vocab'), weights)(x),
      byLogSoftmax: weighted(logSoftmax('vocab'), weights)(x),
      byTokenLogProbs: weighted(ofEveryToken, weights)(x),
      byLogSumExp: grad((y: Tensor<'vocab'>): Scalar => pipe(y, logSumExp('vocab')))(x),
      byEntropy: grad((y: Tensor<'vocab'>): Scalar => pipe(y, entropy('vocab')))(x),
    },
  }),
})

type Numbers = readonly number[]
type Results = Readonly<Record<keyof typeof p.outputs, Numbers>>

const value = (data: Numbers) => ({ sizes: [data.length], data })

const numbersOf = (outputs: Readonly<Record<string, { readonly data: ArrayLike<number> }>>): Results =>
  Object.fromEntries(Object.entries(outputs).map(([name, { data }]) => [name, Array.from(data)])) as unknown as Results

const ones = (x: Numbers): Numbers => x.map(() => 1)

const inFloat64 = (x: Numbers, weights = ones(x)): Results =>
  numbersOf(right(evaluate(p, { x: value(x), weights: value(weights) })).outputs)

const inFloat32 = (x: Numbers, weights = ones(x)): Results =>
  numbersOf(right(interpret(right(plan(p)))({ x: value(x), weights: value(weights) })).outputs)

const total = (xs: Numbers): number => xs.reduce((a, b) => a + b, 0)

/** The same from the textbook, over a row whose maximum is finite. */
const expected = (x: Numbers, weights: Numbers): Results => {
  const greatest = Math.max(...x)
  const sumOfExp = total(x.map((v) => Math.exp(v - greatest)))
  const probabilities = x.map((v) => Math.exp(v - greatest) / sumOfExp)
  const logs = x.map((v) => v - greatest - Math.log(sumOfExp))
  const slopes = probabilities.map((q, i) => weights[i]! - q * total(weights))
  const entropy = -total(probabilities.map((q, i) => (q === 0 ? 0 : q * logs[i]!)))
  const mean = total(probabilities.map((q, i) => q * weights[i]!))
  return {
    softmax: probabilities,
    logSoftmax: logs,
    tokenLogProbs: logs,
    logSumExp: [greatest + Math.log(sumOfExp)],
    entropy: [entropy],
    bySoftmax: probabilities.map((q, i) => q * (weights[i]! - mean)),
    byLogSoftmax: slopes,
    byTokenLogProbs: slopes,
    byLogSumExp: probabilities,
    byEntropy: probabilities.map((q, i) => (q === 0 ? 0 : -q * (logs[i]! + entropy))),
  }
}

/** Each result is as exact as itself, however great the logits are. */
const close = (got: Results, from: Results, tolerance: number): boolean => {
  const isClose = (g: number, e: number): boolean => g === e || Math.abs(g - e) <= tolerance * (1 + Math.abs(e))
  return Object.entries(from).every(([name, numbers]) => numbers.every((e, i) => isClose(got[name as keyof Results][i]!, e)))
}

const logit = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -64, max: 64 }).map((n) => n / 8) },
  { weight: 1, arbitrary: fc.constantFrom(-Infinity, 1000, 999, -1000, 1e30, -1e30) },
)

/** At least one number is finite. */
const row = fc.tuple(fc.array(logit, { maxLength: 6 }), fc.integer({ min: -8, max: 8 })).map(([some, one]): Numbers => [...some, one])

law(
  'softmax, its logarithm, its entropy and log Σ eˣ are the formulas, with their gradients, at −∞ and at numbers whose exponential overflows',
  fc.property(row, (x) => {
    const weights = x.map((_, i) => 1 - i / 4)
    const from = expected(x, weights)
    return close(inFloat64(x, weights), from, 1e-12) && close(inFloat32(x, weights), from, 1e-6)
  }),
  { runs: 300 },
)

test('of a number and −∞, the number has it all, and no gradient is lost', () => {
  for (const made of [inFloat64([2, -Infinity]), inFloat32([2, -Infinity])])
    expect(made).toEqual({
      softmax: [1, 0],
      logSoftmax: [0, -Infinity],
      tokenLogProbs: [0, -Infinity],
      logSumExp: [2],
      entropy: [0],
      bySoftmax: [0, 0],
      byLogSoftmax: [-1, 1],
      byTokenLogProbs: [-1, 1],
      byLogSumExp: [1, 0],
      byEntropy: [0, 0],
    })
})

test('a row of −∞ alone has the sum 0 and no distribution', () => {
  const nothing = [-Infinity, -Infinity]
  for (const made of [inFloat64(nothing), inFloat32(nothing)])
    expect(made).toMatchObject({
      softmax: [NaN, NaN],
      logSoftmax: [NaN, NaN],
      tokenLogProbs: [NaN, NaN],
      logSumExp: [-Infinity],
      entropy: [NaN],
    })
})

test('a row without elements has the sum 0, too, and the entropy 0', () => {
  for (const made of [inFloat64([]), inFloat32([])])
    expect(made).toMatchObject({ softmax: [], logSoftmax: [], logSumExp: [-Infinity], entropy: [0] })
})

test('+∞ and NaN make all of their row NaN', () => {
  for (const x of [
    [1, Infinity],
    [1, NaN],
  ])
    for (const made of [inFloat64(x), inFloat32(x)])
      expect(made).toMatchObject({
        softmax: [NaN, NaN],
        logSoftmax: [NaN, NaN],
        tokenLogProbs: [NaN, NaN],
        logSumExp: [NaN],
        entropy: [NaN],
      })
})

law(
  'an entropy is never negative, and at most the logarithm of how many numbers are not −∞',
  fc.property(row, (x) => {
    const most = Math.log(x.filter((v) => v !== -Infinity).length)
    return [inFloat64(x), inFloat32(x)].every(({ entropy: [h] }) => h! >= 0 && h! <= most + 1e-6)
  }),
)

test('derivatives of softmax and entropy of every order are right, with a logit of −∞ among them', () => {
  expectRightGradient(
    defineLoss({
      name: 'entropy and softmax',
      inputs: { logits: f32('vocab'), mask: bool('vocab'), weights: f32('vocab') },
      loss: ({ logits, mask, weights }) => {
        const kept = or(mask, equal(iota('vocab', sizeAlong('vocab')(logits)), 0))
        const x = select(kept, logits, -Infinity)
        return add(pipe(x, entropy('vocab')), pipe(mul(softmax('vocab')(x), weights), sum('vocab')))
      },
    }),
  )
})

test('the log-probabilities of given tokens are all that their kernel leaves: no row is written out', () => {
  const chosen = program({
    inputs: { logits: f32('batch', 'time', 'vocab'), ids: i32('batch', 'time') },
    body: ({ logits, ids }) => ({ outputs: { y: tokenLogProbs('vocab')(ids)(logits) } }),
  })
  const { buffers } = right(plan(chosen))
  expect(buffers.flatMap(({ role, elements }) => (role.tag === 'made' ? [elements.text] : []))).toEqual(['batch·time'])
})
