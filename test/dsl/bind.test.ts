import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { describe, expect, test } from 'vitest'
import { evaluate } from '../../backends/cpu/evaluate.js'
import { interpret, plan } from '../../compiler/index.js'
import {
  add,
  bind,
  type BindError,
  type CallSite,
  extent,
  f32,
  gather,
  givenValues,
  i32,
  nested,
  program,
  type Program,
  renderBindError,
  renderSizeNeverBound,
  requirementsOf,
  sizeOf,
  sizes,
  sizesNeverBound,
  slice,
  split,
  sum,
  toF32,
} from '../../dsl/index.js'
import { here, still } from './here.js'

const bound = (p: Program<unknown, unknown, unknown>, inputs: unknown, state: unknown = {}) =>
  bind(requirementsOf(p), givenValues(p, inputs, state))

const errorsOf = (...given: Parameters<typeof bound>): readonly BindError[] => {
  const made = bound(...given)
  return E.isLeft(made) ? made.left : []
}

const rows = nested([
  [1, 2, 3],
  [4, 5, 6],
])

const plain = program({
  inputs: { x: f32('batch', 'time'), fixed: f32({ embed: 4 }) },
  body: ({ x, fixed }) => ({ outputs: { x, fixed } }),
})
const four = nested([1, 2, 3, 4])

let site: Pick<CallSite, 'file' | 'line'> = { file: '', line: 0 }

const shared = program({ inputs: { x: f32('batch', 'time'), y: f32('time') }, body: ({ x, y }) => ({ outputs: { sum: add(x, y) } }) })

const halves = program({
  inputs: { x: f32('time'), y: f32({ time: sizeOf('other') }), z: f32('other') },
  body: ({ x, y }) => {
    const z = [add(x, y), here()] as const
    site = z[1]
    return { outputs: { z: z[0] } }
  },
})

const later = program({
  inputs: { x: f32('time') },
  body: ({ x }) => {
    const z = [pipe(x, slice('time', { from: 4 })), here()] as const
    site = z[1]
    return { outputs: { z: z[0] } }
  },
})
const laterSite = site

const chunked = program({
  inputs: { x: f32('time') },
  body: ({ x }) => {
    const z = [pipe(x, split('time', { outer: 'chunk', inner: 'place', size: 2 })), here()] as const
    site = z[1]
    return { outputs: { z: z[0] } }
  },
})
const chunkedSite = site

const pointing = program({
  inputs: { table: f32('vocab', 'embed'), ids: i32('batch') },
  body: ({ table, ids }) => ({ outputs: { rows: pipe(table, gather('vocab')(ids)) } }),
})

/** A run for each tag, and what its error says. */
const runs: { readonly [T in BindError['tag']]: readonly [readonly BindError[], Readonly<Record<string, unknown>>] } = {
  unbound: [errorsOf(plain, { fixed: four }), { path: 'inputs.x', axes: ['batch', 'time'], dtype: 'f32' }],
  notDeclared: [errorsOf(plain, { x: rows, fixed: four, fxied: four }), { path: 'inputs.fxied', declared: ['inputs.x', 'inputs.fixed'] }],
  wrongRank: [errorsOf(plain, { x: four, fixed: four }), { path: 'inputs.x', axes: ['batch', 'time'], sizes: [4] }],
  notNumbers: [errorsOf(plain, { x: { sizes: [1, 2], data: [[1], [2]] as never }, fixed: four }), { path: 'inputs.x', dtype: 'f32' }],
  wrongNumber: [errorsOf(pointing, { table: rows, ids: nested([0, 0.5]) }), { path: 'inputs.ids', dtype: 'i32', value: 0.5, place: 1 }],
  tooLarge: [
    errorsOf(plain, { x: { sizes: [2 ** 16, 2 ** 15] }, fixed: four }),
    { of: 'the elements of inputs.x', size: { text: 'batch·time' }, value: 2 ** 31 },
  ],
  badSizes: [errorsOf(plain, { x: { sizes: [-1, -1], data: [1] }, fixed: four }), { path: 'inputs.x', sizes: [-1, -1] }],
  wrongLength: [errorsOf(plain, { x: nested([[1, 2], [3]]), fixed: four }), { path: 'inputs.x', sizes: [2, 2], length: 3 }],
  wrongSize: [errorsOf(plain, { x: rows, fixed: nested([1]) }), { path: 'inputs.fixed', axis: 'embed', declared: { text: '4' }, given: 1 }],
  axisBoundTwice: [
    errorsOf(shared, { x: rows, y: four }),
    { axis: 'time', first: { path: 'inputs.x', size: 3 }, second: { path: 'inputs.y', size: 4 } },
  ],
  sizesUnequal: [
    errorsOf(halves, { x: nested([1]), y: nested([1, 2]), z: nested([1, 2]) }),
    { demand: { op: 'add', axis: 'time' }, left: 1, right: 2 },
  ],
  sizeTooSmallOnceBound: [
    errorsOf(later, { x: nested([1, 2, 3]) }),
    { demand: { op: 'slice', axis: 'time', at: laterSite }, size: 3, least: 4 },
  ],
  doesNotDivideOnceBound: [
    errorsOf(chunked, { x: nested([1, 2, 3]) }),
    { demand: { op: 'split', axis: 'time', by: 2, at: chunkedSite }, size: 3 },
  ],
  idOutOfRange: [
    errorsOf(pointing, { table: rows, ids: nested([0, 1, 2]) }),
    { path: 'inputs.ids', axis: 'vocab', id: 2, place: 2, limit: 2 },
  ],
}

describe.each(Object.entries(runs))('%s', (tag, [errors, says]) => {
  test('says what it is, with the numbers', () => expect(errors[0]).toMatchObject({ tag, ...says }))
})

test('each renders as three lines', () => {
  expect(
    still(
      Object.values(runs)
        .map(([errors]) => errors.slice(0, 1).map(renderBindError).join('\n'))
        .join('\n'),
    ),
  ).toMatchInlineSnapshot(`
    "inputs.x has no value
      because: the program declares it as f32 with axes 'batch', 'time'
      try: give it { sizes, data }, or a number for a scalar
    inputs.fxied is given
      because: the program declares only 'inputs.x', 'inputs.fixed'
      try: did you mean 'inputs.fixed'?
    inputs.x is given 1 sizes
      because: it is declared with 2 axes, 'batch', 'time', and was given [4]
      try: give one size for each axis, in the order of the declaration
    inputs.x is given no numbers
      because: its data must be one flat array of numbers, or a typed array, for f32
      try: use nested([[1, 2], [3, 4]]) for rows; a bool is 0 or 1
    inputs.ids is given 0.5 at place 1
      because: it is declared as i32, and so each element is a whole number from −2³¹ to 2³¹ − 1
      try: round the numbers, or declare it as f32 and compare or cast it in the program
    the elements of inputs.x: batch·time = 2147483648
      because: kernels count in 32 bits, up to 2³¹ − 1 = 2147483647
      try: use fewer or smaller axes, or compute it in parts
    inputs.x is given sizes [-1, -1]
      because: a size is a whole number of at least 0
      try: give the sizes that the data has
    inputs.x is given 3 numbers
      because: 'batch', 'time' of sizes [2, 2] need 4
      try: check the sizes, or the length of the data (ragged rows must be padded)
    inputs.fixed has size 1 along 'embed'
      because: it is declared with size 4
      try: give that size, or declare the axis open
    axis 'time' is bound to two sizes
      because: inputs.x has 3 and inputs.y has 4
      try: give both the same size, or declare two axes with different names
    add at test/dsl/bind.test.ts:LINE
      because: axis 'time' has size time = 1 on the left and other = 2 on the right
      try: run it with sizes that agree, or slice or pad one of them
    slice along 'time' at test/dsl/bind.test.ts:LINE
      because: time = 3 and at least 4 is needed
      try: run it with a longer axis, or choose bounds inside it
    split of 'time' at test/dsl/bind.test.ts:LINE
      because: time = 3, which 2 does not divide
      try: run it with a size that 2 divides, or slice or pad the axis first
    inputs.ids points outside 'vocab'
      because: element 2 is 2 and the axis has places 0 to 1
      try: check the tokenizer or the padding id; an id that is masked must lie inside too"
  `)
})

test('all that is wrong with the values is told at once', () => {
  const errors = errorsOf(plain, { x: four, fixed: nested([1]), more: 1 })
  expect(errors.map(({ tag }) => tag)).toEqual(['notDeclared', 'wrongRank', 'wrongSize'])
})

test('values that fit bind every open size', () => {
  expect(bound(plain, { x: rows, fixed: four })).toMatchObject(
    E.right({
      sizes: new Map([
        ['batch', 2],
        ['time', 3],
      ]),
    }),
  )
})

test('an axis declared as a size of another is bound by it', () => {
  const shifted = program({
    inputs: { x: f32('time'), y: f32({ shifted: sizes.minus(sizeOf('time'), 1) }) },
    body: ({ x, y }) => ({ outputs: { x, y } }),
  })
  expect(errorsOf(shifted, { x: four, y: nested([1, 2, 3]) })).toEqual([])
  expect(errorsOf(shifted, { x: four, y: four })).toMatchObject([{ tag: 'wrongSize', declared: { text: 'time − 1' }, given: 4 }])
})

test('a size that no input binds is found before any value is given', () => {
  const p = program({
    inputs: { x: f32('time') },
    body: ({ x }) => ({ outputs: { y: add(pipe(x, sum('time')), toF32(extent(sizeOf('tiem')))) } }),
  })
  expect(sizesNeverBound(p)).toEqual([{ tag: 'sizeNeverBound', variable: 'tiem', bound: ['time'] }])
  expect(evaluate(p, { x: four })).toEqual(E.left(sizesNeverBound(p)))
  expect(sizesNeverBound(p).map(renderSizeNeverBound)).toMatchInlineSnapshot(`
    [
      "the size 'tiem' is asked for
      because: no input has an axis of that size: the inputs bind 'time'
      try: did you mean 'time'?",
    ]
  `)
})

test('a scalar is given as a number, and a tree by its paths', () => {
  const p = program({
    inputs: { layers: [{ scale: f32() }, { scale: f32() }] },
    body: ({ layers: [first, second] }) => ({ outputs: { y: add(first.scale, second.scale) } }),
  })
  expect(evaluate(p, { layers: [{ scale: 1 }, { scale: 2 }] })).toMatchObject(
    E.right({ outputs: { y: { axes: [], data: Float64Array.of(3) } } }),
  )
  expect(errorsOf(p, { layers: [{ scale: 1 }] })).toMatchObject([{ tag: 'unbound', path: 'inputs.layers.1.scale' }])
})

test('the interpreter and the reference ask for values of the host', () => {
  const given = { x: { sizes: [1, 2] }, fixed: four }
  const interpreted = pipe(
    plan(plain),
    E.chainW((planned) => interpret(planned)(given)),
  )
  for (const made of [evaluate(plain, given), interpreted]) expect(made).toMatchObject({ left: [{ tag: 'unbound', path: 'inputs.x' }] })
})

test('ragged rows are refused even where their numbers add up', () => {
  expect(errorsOf(plain, { x: nested([[1, 2], [3], [4, 5, 6]]), fixed: four })).toMatchObject([{ tag: 'wrongLength', length: 7 }]) // prettier-ignore
})
