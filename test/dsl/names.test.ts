import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { expect, test } from 'vitest'
import { evaluate } from '../../backends/cpu/evaluate.js'
import { interpret, plan } from '../../compiler/index.js'
import {
  add,
  build,
  f32,
  iota,
  leaves,
  nested,
  pad,
  type Program,
  program,
  rename,
  sizeOf,
  slice,
  sub,
  sum,
  toF32,
} from '../../dsl/index.js'

const isData = (x: unknown): x is Float64Array | Float32Array => ArrayBuffer.isView(x)

/** The numbers that a program gives, by the reference and by the interpreter. */
const numbers = (p: Program<unknown, unknown, unknown>, inputs: unknown): readonly unknown[] => {
  const made = [evaluate(p, inputs as never), pipe(plan(p), E.chainW((planned) => interpret(planned)(inputs as never)))] // prettier-ignore
  return made.map(
    E.fold(
      (errors): unknown => errors.map(({ tag }) => tag),
      ({ outputs }) => leaves(isData)(outputs).map(({ value }) => Array.from(value)),
    ),
  )
}

const twice = (expected: unknown): readonly unknown[] => [expected, expected]

test('leaves whose keys join to the same word are two', () => {
  const p = program({
    inputs: { 'a.b': f32(), a: { b: f32() }, '': f32() },
    body: (x) => ({ outputs: { 'a.b': sub(x['a.b'], x.a.b), a: { b: x[''] } } }),
  })
  expect(numbers(p, { 'a.b': 5, a: { b: 2 }, '': 7 })).toEqual(twice([[3], [7]]))
})

test('an axis called 2 is not of size 2', () => {
  const total = (x: Parameters<typeof toF32>[0]) => build.sum(...x.axes.map(({ name }) => name))(toF32(x))
  const p = program({
    inputs: { x: f32('2') },
    body: ({ x }) => ({ outputs: { y: build.binary('add')(total(iota('a', sizeOf('2'))), total(iota('a', 2))), z: pipe(x, sum('2')) } }),
  })
  expect(numbers(p, { x: nested([0, 0, 0, 0, 0]) })).toEqual(twice([[11], [0]]))
})

test('an axis may have no name, or that of a method', () => {
  const p = program({
    inputs: { x: f32(''), y: f32('constructor', 'time') },
    body: ({ x, y }) => ({
      outputs: { x: pipe(x, slice('', { from: 1 }), pad('', { after: 1 })), y: pipe(y, rename({ time: 'key' }), sum('constructor')) },
    }),
  })
  expect(numbers(p, { x: nested([1, 2, 3]), y: nested([[1, 2], [3, 4]]) })).toEqual(twice([[2, 3, 0], [4, 6]])) // prettier-ignore
})

test('two axes are not one whose name has a comma', () => {
  const p = program({
    inputs: { x: f32('a', 'a,a') },
    body: ({ x }) => ({ outputs: { y: add(build.broadcastTo(x.axes.toReversed())(x) as typeof x, 0) } }),
  })
  expect(numbers(p, { x: nested([[1, 2, 3], [4, 5, 6]]) })).toEqual(twice([[1, 4, 2, 5, 3, 6]])) // prettier-ignore
})
