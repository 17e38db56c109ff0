import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { describe, expect, test } from 'vitest'
import { evaluate, type EvaluateOptions, evaluateTensors, float64 } from '../../../backends/cpu/evaluate.js'
import {
  type AnySpec,
  type AnyTensor,
  bool,
  build,
  contract,
  type DType,
  f32,
  type Given,
  type HostTensor,
  i32,
  mean,
  mul,
  nested,
  program,
  type ScalarOp,
  sizeOf,
  sizes,
  sum,
  tokenLogProbs,
  u32,
  where,
} from '../../../dsl/index.js'

test('a program of most of the vocabulary', () => {
  const p = program({
    inputs: { logits: f32('batch', 'vocab'), ids: i32('batch'), mask: bool('batch'), w: f32({ vocab: 3, out: 2 }) },
    state: { count: f32() },
    body: ({ logits, ids, mask, w }, { count }) => ({
      outputs: {
        masked: pipe(logits, tokenLogProbs('vocab')(ids), where(mask), sum('batch')),
        mean: pipe(logits, mean('vocab')),
        contracted: contract('vocab')(logits, w),
      },
      state: { count: mul(count, 2) },
    }),
  })
  const logits = nested([
    [1, 2, 3],
    [1, 1, 1],
  ])
  const w = nested([
    [1, 0],
    [0, 1],
    [1, 1],
  ])
  const run = evaluate(p, { logits, ids: nested([0, 1]), mask: nested([1, 0]), w }, { count: 3 })
  const logSum = Math.log(Math.exp(-2) + Math.exp(-1) + 1) + 3
  expect(run).toEqual(
    E.right({
      outputs: {
        masked: { axes: [], sizes: [], data: Float64Array.of(1 - logSum) },
        mean: { axes: ['batch'], sizes: [2], data: Float64Array.of(2, 1) },
        contracted: { axes: ['batch', 'out'], sizes: [2, 2], data: Float64Array.of(4, 5, 2, 2) },
      },
      state: { count: { axes: [], sizes: [], data: Float64Array.of(6) } },
    }),
  )
})

describe('the scalar operations at their edges', () => {
  const apply = (op: ScalarOp, result: DType, ...operands: readonly number[]) => float64.scalar(result)[op](...operands)
  test.each([
    ['min', 'f32', [NaN, 1], NaN],
    ['min', 'f32', [1, NaN], NaN],
    ['max', 'f32', [NaN, Infinity], NaN],
    ['sign', 'f32', [NaN], NaN],
    ['sign', 'f32', [0], 0],
    ['sign', 'i32', [-7], -1],
    ['less', 'bool', [NaN, 1], 0],
    ['lessEqual', 'bool', [NaN, NaN], 0],
    ['equal', 'bool', [NaN, NaN], 0],
    ['equal', 'bool', [0, -0], 1],
    ['select', 'f32', [0, NaN, 2], 2],
    ['log', 'f32', [0], -Infinity],
    ['log', 'f32', [-1], NaN],
    ['rsqrt', 'f32', [0], Infinity],
    ['sigmoid', 'f32', [-1000], 0],
    ['sigmoid', 'f32', [1000], 1],
    ['floor', 'f32', [-0.5], -1],
    ['pow', 'f32', [1, NaN], 1],
    ['pow', 'f32', [NaN, 0], 1],
    ['pow', 'f32', [-1, Infinity], 1],
    ['pow', 'f32', [-8, 1 / 3], NaN],
    ['mod', 'f32', [-7.5, 2], 0.5],
    ['mod', 'f32', [7.5, -2], -0.5],
    ['mod', 'f32', [1, 0], NaN],
    ['mod', 'f32', [-1, Infinity], Infinity],
    ['mod', 'i32', [-7, 3], 2],
    ['mod', 'i32', [7, -3], -2],
    ['mod', 'i32', [7, 0], 0],
    ['mod', 'i32', [-(2 ** 31), -1], 0],
    ['mod', 'u32', [2 ** 32 - 1, 10], 5],
    ['erf', 'f32', [-Infinity], -1],
    ['bitAnd', 'u32', [2 ** 32 - 1, 2 ** 31], 2 ** 31],
    ['shiftLeft', 'i32', [1, 31], -(2 ** 31)],
    ['shiftLeft', 'u32', [1, 33], 2],
    ['shiftRight', 'i32', [-8, 1], -4],
    ['shiftRight', 'u32', [2 ** 32 - 8, 1], 2 ** 31 - 4],
    ['floatBits', 'u32', [1], 0x3f800000],
    ['bitsToF32', 'f32', [0xc0000000], -2],
    ['bitsToI32', 'i32', [2 ** 32 - 1], -1],
    ['bitsToU32', 'u32', [-1], 2 ** 32 - 1],
    ['add', 'i32', [2 ** 31 - 1, 1], -(2 ** 31)],
    ['mul', 'i32', [123456789, 987654321], Math.imul(123456789, 987654321)],
    ['mul', 'u32', [2 ** 31, 3], 2 ** 31],
    ['sub', 'u32', [0, 1], 2 ** 32 - 1],
    ['neg', 'u32', [1], 2 ** 32 - 1],
    ['abs', 'i32', [-(2 ** 31)], -(2 ** 31)],
    ['toI32', 'i32', [-2.9], -2],
    ['toI32', 'i32', [1e10], 2 ** 31 - 1],
    ['toI32', 'i32', [-Infinity], -(2 ** 31)],
    ['toI32', 'i32', [NaN], 0],
    ['toU32', 'u32', [-1], 0],
    ['toU32', 'u32', [1e10], 2 ** 32 - 1],
    ['toU32', 'u32', [NaN], 0],
    ['toBool', 'bool', [NaN], 1],
    ['toBool', 'bool', [-0], 0],
  ] as const)('%s of %s %j is %d', (op, dtype, operands, expected) => expect(apply(op, dtype, ...operands)).toBe(expected))
})

const one = (spec: AnySpec, x: Given, body: (x: AnyTensor) => AnyTensor, options: EvaluateOptions = {}): HostTensor | undefined => {
  const inputs: Readonly<Record<string, AnySpec>> = { x: spec }
  const p = program({ inputs, body: (given) => ({ outputs: { y: body(given['x'] as AnyTensor) } }) })
  const made = evaluate(p, { x }, {}, options)
  return E.isRight(made) ? made.right.outputs.y : undefined
}

test('the greatest of nothing is −∞, of integers the least; of a NaN and others NaN', () => {
  const none = nested([])
  expect(one(f32('i'), none, build.max('i'))?.data).toEqual(Float64Array.of(-Infinity))
  expect(one(i32('i'), none, build.max('i'))?.data).toEqual(Int32Array.of(-(2 ** 31)))
  expect(one(f32('i'), nested([1, NaN, 3]), build.max('i'))?.data).toEqual(Float64Array.of(NaN))
})

test('the place of the greatest and of the least is the first, that of a NaN wins, and of nothing it is 0', () => {
  const places = (...x: readonly number[]) => [build.argMax, build.argMin].map((of) => one(f32('i'), nested(x), of('i'))?.data[0])
  expect(places(1, 3, 3, 1)).toEqual([1, 0])
  expect(places(Infinity, NaN, -Infinity, NaN)).toEqual([1, 1])
  expect(places(-Infinity, -Infinity)).toEqual([0, 0])
  expect(places()).toEqual([0, 0])
  expect(one(f32('i'), nested([2, NaN, 1]), build.min('i'))?.data[0]).toBe(NaN)
  expect(one(u32('i'), nested([]), build.min('i'))?.data[0]).toBe(2 ** 32 - 1)
})

test('rows without elements, merged and split again, are as many as they were', () => {
  const pair = { outer: 'row', inner: 'place' }
  const empty = { sizes: [3, 0], data: [] }
  const again = one(f32('row', 'place'), empty, (x) => pipe(x, build.merge('all', pair), build.splitLike('all', pair, x)))
  expect([again?.axes, again?.sizes]).toEqual([['row', 'place'], [3, 0]]) // prettier-ignore
})

test('an axis turned round, split in row-major order, merged again, and put behind another', () => {
  const pair = { outer: 'chunk', inner: 'place' }
  const six = nested([1, 2, 3, 4, 5, 6])
  const moved = (body: (x: AnyTensor) => AnyTensor) => {
    const made = one(f32('i'), six, body)
    return [made?.axes, made?.sizes, Array.from(made?.data ?? [])]
  }
  expect(moved(build.flip('i'))).toEqual([['i'], [6], [6, 5, 4, 3, 2, 1]])
  expect(moved(build.split('i', pair, 2))).toEqual([
    ['chunk', 'place'],
    [3, 2],
    [1, 2, 3, 4, 5, 6],
  ])
  expect(moved((x) => pipe(x, build.split('i', pair, 2), build.merge('j', pair)))).toEqual([['j'], [6], [1, 2, 3, 4, 5, 6]])
  expect(moved((x) => pipe(x, build.split('i', pair, 2), build.merge('j', { outer: 'place', inner: 'chunk' })))).toEqual([
    ['j'],
    [6],
    [1, 3, 5, 2, 4, 6],
  ])
  expect(moved((x) => build.concat('i')(x, pipe(x, build.sliceBetween('i', 0, 2, 1)), x))).toEqual([
    ['i'],
    [14],
    [1, 2, 3, 4, 5, 6, 1, 2, 1, 2, 3, 4, 5, 6],
  ])
})

test('bits are the same between any two types', () => {
  const bits = (spec: AnySpec, x: number, ...through: readonly ('f32' | 'i32' | 'u32')[]) =>
    one(spec, x, (t) => through.reduce((y, to) => build.bitcast(to)(y), t))?.data[0]
  expect(bits(f32(), -2, 'i32')).toBe(-(2 ** 30))
  expect(bits(f32(), -2, 'u32')).toBe(2 ** 31 + 2 ** 30)
  expect(bits(i32(), -(2 ** 30), 'f32')).toBe(-2)
  expect(bits(i32(), -1, 'u32')).toBe(2 ** 32 - 1)
  expect(bits(i32(), 7, 'i32', 'u32', 'f32', 'i32')).toBe(7)
})

test('an id outside gives NaN, 0 for integers, and adds nowhere', () => {
  const ids = build.map('sub', build.iota('j', 4), build.constant(1, 'i32'))
  expect(one(f32('i'), nested([5, 6]), build.gather('i')(ids))?.data).toEqual(Float64Array.of(NaN, 5, 6, NaN))
  expect(one(i32('i'), nested([5, 6]), build.gather('i')(ids))?.data).toEqual(Int32Array.of(0, 5, 6, 0))
  expect(one(f32('j'), nested([1, 2, 3, 4]), build.scatterAdd('i', ids, sizes.literal(2), ['j']))?.data).toEqual(Float64Array.of(2, 3))
})

test('in float32 every float is rounded as it is made, and a sum is taken in order', () => {
  const tenths = nested([0.1, 0.2, 1e8, -1e8])
  const sum = Math.fround(Math.fround(Math.fround(Math.fround(0.1) + Math.fround(0.2)) + 1e8) - 1e8)
  expect(one(f32('i'), tenths, build.sum('i'), { precision: 'f32' })?.data).toEqual(Float32Array.of(sum))
})

test('a stopped gradient can be held at a value while its operand moves', () => {
  const x = build.input('x', 'f32', [])
  const stopped = build.stopGradient(x)
  const y = build.map('mul', stopped, x)
  const at = (value: number) => ({ sizes: new Map(), values: new Map([['x', { sizes: [], data: [value] }]]) })
  const base = evaluateTensors([y], at(3), float64)
  const moved = evaluateTensors([y], at(5), float64, new Map([[stopped.node, base.get(stopped.node)!]]))
  expect(moved.get(y.node)?.data).toEqual([15])
})

test('everything that is wrong with a program is reported at once, before any value is asked for', () => {
  const p = program({
    inputs: { x: f32('i') },
    body: ({ x }) => ({ outputs: { y: build.sum('j')(x), z: build.map('toI32', build.extent(sizeOf('k'))), w: build.map('and', x, x) } }),
  })
  const made = evaluate(p, {} as never)
  expect(E.isLeft(made) && made.left.map(({ tag }) => tag)).toEqual(['noSuchAxis', 'typesDoNotFit', 'sizeNeverBound'])
})

test('what only a device holds has no value here', () => {
  const p = program({ inputs: { x: f32('i') }, body: ({ x }) => ({ outputs: { x } }) })
  expect(evaluate(p, { x: { sizes: [2] } })).toMatchObject(E.left([{ tag: 'unbound', path: 'inputs.x' }]))
})

test('a chain of 10⁵ operations is evaluated', () => {
  const chain = (x: AnyTensor): AnyTensor => Array.from({ length: 100_000 }).reduce<AnyTensor>((y) => build.map('neg', y), x)
  expect(one(f32(), 3, chain)?.data).toEqual(Float64Array.of(3))
})
