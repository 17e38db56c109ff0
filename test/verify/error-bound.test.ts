import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { describe, expect, test } from 'vitest'
import { grad } from '../../autodiff/index.js'
import { evaluate } from '../../backends/cpu/evaluate.js'
import {
  add,
  clip,
  contract,
  countOf,
  div,
  equal,
  exp,
  f32,
  type HostTensor,
  i32,
  less,
  log,
  mean,
  min,
  mul,
  program,
  type Program,
  random,
  select,
  softmax,
  sub,
  sum,
  type Tensor,
  toF32,
  tokenLogProbs,
  type Value,
} from '../../dsl/index.js'
import { agrees, allAgree, type BoundTensor, errorBounds, renderDisagreement } from '../../verify/error-bound.js'

const orThrow = E.getOrElse<unknown, never>((errors) => {
  throw new Error(JSON.stringify(errors))
}) as <A>(result: E.Either<unknown, A>) => A

const normals = (seed: number, ...sizes: readonly number[]): Value => ({
  sizes,
  data: Float32Array.from({ length: countOf(sizes) }, (_, i) => random.normal(random.key(seed), i)),
})

const boundsOf = <I, S, O>(p: Program<I, S, O>, inputs: unknown) => orThrow(errorBounds(p, inputs as never)).outputs
const rounded = <I, S, O>(p: Program<I, S, O>, inputs: unknown) =>
  orThrow(evaluate(p, inputs as never, undefined, { precision: 'f32' })).outputs

const median = (x: readonly number[]): number => x.toSorted((a, b) => a - b)[x.length >> 1]!

/** The median of bound / |value|, in units of float32's 2⁻²⁴. */
const looseness = ({ data }: BoundTensor): number => median(data.map(({ value, error }) => error / Math.abs(value))) * 2 ** 24

const logits = f32('batch', 'vocab')

const softmaxProgram = program({ inputs: { logits }, body: ({ logits }) => ({ outputs: { y: pipe(logits, softmax('vocab')) } }) })

const contraction = program({
  inputs: { x: f32('batch', 'embed'), w: f32('embed', 'out') },
  body: ({ x, w }) => ({ outputs: { y: contract('embed')(x, w) } }),
})

const surrogate = program({
  inputs: { logProbs: f32('batch'), old: f32('batch'), advantages: f32('batch') },
  body: ({ logProbs, old, advantages }) => ({
    outputs: {
      y: grad((logProbs: Tensor<'batch'>) => {
        const ratio = exp(sub(logProbs, old))
        return pipe(min(mul(ratio, advantages), mul(pipe(ratio, clip(0.8, 1.2)), advantages)), mean('batch'))
      })(logProbs),
    },
  }),
})

const crossEntropy = program({
  inputs: { logits, ids: i32('batch') },
  body: ({ logits, ids }) => ({
    outputs: { y: grad((x: Tensor<'batch' | 'vocab'>) => pipe(x, tokenLogProbs('vocab')(ids), mean('batch')))(logits) },
  }),
})

describe('the bound is not vacuous', () => {
  const near = (x: Value, scale: number): Value => ({ ...x, data: Array.from(x.data, (element) => scale * element) })
  test.for([
    ['a softmax over 50', 100, () => boundsOf(softmaxProgram, { logits: normals(1, 8, 50) }).y],
    ['a contraction of 64 terms', 500, () => boundsOf(contraction, { x: normals(1, 8, 64), w: normals(2, 64, 8) }).y],
    [
      'the gradient of a clipped surrogate, ties and all',
      25,
      () => boundsOf(surrogate, { logProbs: near(normals(1, 32), 0.1), old: near(normals(2, 32), 0.1), advantages: normals(3, 32) }).y,
    ],
    [
      'the gradient of a cross-entropy',
      110,
      () => boundsOf(crossEntropy, { logits: normals(1, 8, 50), ids: { sizes: [8], data: [1, 2, 3, 4, 5, 6, 7, 8] } }).y,
    ],
  ] as const)('%s: its median is below %i · 2⁻²⁴ of the value', async ([, most, bound], { annotate }) => {
    const found = looseness(bound())
    await annotate(`it is ${found.toFixed(1)} · 2⁻²⁴`)
    expect(found).toBeLessThan(most)
  })
})

describe('a kernel that computes something else is caught', () => {
  const inputs = { logits: normals(1, 3, 5) }
  const bound = boundsOf(softmaxProgram, inputs).y
  const right = rounded(softmaxProgram, inputs).y
  const changed = (place: number, f: (x: number) => number): HostTensor => ({
    ...right,
    data: Array.from(right.data, (x, i) => (i === place ? f(x) : x)),
  })
  const report = (actual: HostTensor): string =>
    pipe(
      agrees(bound, actual, 'outputs.y'),
      E.match(renderDisagreement, () => 'agrees'),
    )

  test('the right one agrees', () => expect(report(right)).toBe('agrees'))

  test('a thousand ulps off', () =>
    expect(report(changed(7, (x) => x * (1 + 1000 * 2 ** -23)))).toMatchInlineSnapshot(`
    "outputs.y at batch = 1, vocab = 2 is 0.4630554020652937
      because: it must be 0.4630002068753143 ± 7.552356686426593e-7
      try: look for a kernel that computes something else: rounding alone does not go so far"
  `))

  test('NaN where the value is finite', () => expect(report(changed(0, () => NaN))).toContain('outputs.y at batch = 0, vocab = 0 is NaN'))

  test('another order of axes', () =>
    expect(report({ ...right, axes: ['vocab', 'batch'], sizes: [5, 3] })).toMatchInlineSnapshot(`
    "outputs.y is [vocab: 5, batch: 3] of 15
      because: it must be [batch: 3, vocab: 5] of 15
      try: compare the axes and their order with the program's"
  `))

  test('a tie that is not split evenly', () => {
    const tie = { logProbs: normals(1, 2), old: normals(1, 2), advantages: normals(3, 2) }
    const { y } = rounded(surrogate, tie)
    expect(agrees(boundsOf(surrogate, tie).y, y)).toEqual(E.right(undefined))
    expect(E.isLeft(agrees(boundsOf(surrogate, tie).y, { ...y, data: Array.from(y.data, (x) => x / 2) }))).toBe(true)
  })

  test('trees are compared leaf by leaf, and what is not there is missed', () => {
    expect(allAgree({ y: bound }, { y: right })).toEqual(E.right(undefined))
    expect(allAgree({ a: { y: bound } }, { a: {} })).toMatchObject({ left: { tag: 'shapesDiffer', path: 'a.y' } })
  })
})

describe('the bound of', () => {
  const scalars = (body: (x: Tensor<never>, y: Tensor<never>) => Tensor<never> | Tensor<never, 'bool'>, x: number, y = 0) =>
    boundsOf(program({ inputs: { x: f32(), y: f32() }, body: ({ x, y }) => ({ outputs: { y: body(x, y) } }) }), { x, y }).y.data[0]!

  test.each([
    ['a whole number made of whole numbers', scalars((x, y) => mul(add(x, y), x), 3, 4), { value: 21, error: 0 }],
    ['log 0', scalars((x) => log(x), 0), { value: -Infinity, error: 0 }],
    ['√ of a negative number, as log', scalars((x) => log(x), -1), { value: NaN, error: 0 }],
    ['∞ − ∞', scalars((x) => sub(x, x), Infinity), { value: NaN, error: 0 }],
    ['1 / ∞', scalars((x) => div(1, x), Infinity), { value: 0, error: 0 }],
    ['1 / 0, whose sign nobody promises', scalars((x) => div(1, x), 0), { value: Infinity, error: Infinity }],
    ['1 / x where x may be 0', scalars((x, y) => div(1, sub(exp(x), exp(y))), 1, 1 + 2 ** -23), { error: Infinity }],
    ['what overflows', scalars((x) => exp(x), 100), { error: Infinity }],
    ['what underflows', scalars((x) => exp(x), -200), { value: Math.exp(-200) }],
    ['a comparison that rounding decides', scalars((x, y) => less(exp(x), exp(y)), 1, 1 + 2 ** -23), { value: 1, error: 1 }],
    ['a value compared with itself', scalars((x) => equal(exp(x), exp(x)), 1), { value: 1, error: 0 }],
    ['a choice that rounding decides', scalars((x, y) => select(less(exp(x), exp(y)), 1, 5), 1, 1 + 2 ** -23), { value: 1, error: 4 }],
    ['a subnormal input, which may be flushed', scalars((x) => x, 2 ** -130), { value: 2 ** -130, error: 2 ** -130 }],
    ['a count', scalars((x) => toF32(less(x, 1)), 0), { value: 1, error: 0 }],
  ] as const)('%s', (_name, bound, expected) => expect(bound).toMatchObject(expected))

  test('a sum of nothing', () => {
    const p = program({ inputs: { x: f32('i') }, body: ({ x }) => ({ outputs: { y: pipe(x, sum('i')) } }) })
    expect(boundsOf(p, { x: { sizes: [0], data: [] } }).y.data).toEqual([{ value: 0, error: 0 }])
  })
})
