import { pipe } from 'fp-ts/lib/function.js'
import { describe, expect, test } from 'vitest'
import { tangents } from '../../autodiff/index.js'
import {
  type AnyTensor,
  build,
  type CallSite,
  type GraphError,
  graphErrors,
  type GraphErrorTag,
  program,
  renderGraphError,
  sizes,
} from '../../dsl/index.js'
import { here, still } from './here.js'

const axis = (name: string, size: number | string) => ({ name, size: typeof size === 'number' ? sizes.literal(size) : sizes.sizeOf(size) })
const x = build.input('inputs.x', 'f32', [axis('batch', 'batch'), axis('time', 'time')])
const y = build.input('inputs.y', 'f32', [axis('batch', 'batch'), axis('vocab', 50)])
const ids = build.input('inputs.ids', 'i32', [axis('batch', 'batch')])
const { binary, broadcastTo, contract, custom, gather, map, max, rename, scatterAdd, slice, sliceBetween, split, sum, ascribe } = build

type Made = readonly [AnyTensor, Pick<CallSite, 'file' | 'line'>]

const errorsOf = ({ node }: AnyTensor): readonly GraphError[] => (node.tag === 'invalid' ? node.errors : [])

/** One mistake for each tag, and what its error says. */
const mistakes: { readonly [T in GraphErrorTag]: readonly [() => Made, Readonly<Record<string, unknown>>] } = {
  sizesDiffer: [
    () => [binary('sub')(x, sliceBetween('time', 1, undefined, 1)(x)), here()],
    { op: 'sub', axis: 'time', left: { text: 'time' }, right: { text: 'time − 1' } },
  ],
  axesDoNotNest: [() => [binary('mul')(x, y), here()], { op: 'mul', left: ['batch', 'time'], right: ['batch', 'vocab'] }],
  noSuchAxis: [() => [pipe(x, sum('tmie')), here()], { op: 'sum', axis: 'tmie', has: ['batch', 'time'] }],
  axisExists: [() => [pipe(x, rename({ time: 'batch' })), here()], { op: 'rename', axis: 'batch', has: ['batch', 'time'] }],
  axisTwice: [() => [pipe(x, max('time', 'time')), here()], { op: 'max', axis: 'time' }],
  sizeTooSmall: [
    () => [pipe(y, slice('vocab', { start: sizes.literal(45), step: 1, size: sizes.literal(10) })), here()],
    { op: 'slice', axis: 'vocab', size: { text: '50' }, least: { text: '55' } },
  ],
  typesDoNotFit: [() => [binary('add')(x, ids), here()], { op: 'add', takes: 'numbers of one type', given: ['f32', 'i32'] }],
  badSize: [
    () => [pipe(x, broadcastTo([{ name: 'head', size: sizes.literal(2.5) }, ...x.axes])), here()],
    { op: 'broadcast', axis: 'head', size: { text: '2.5' } },
  ],
  numberDoesNotFit: [() => [build.constant(0.5, 'i32'), here()], { value: 0.5, dtype: 'i32' }],
  badStep: [() => [pipe(x, sliceBetween('time', 0, undefined, 0)), here()], { op: 'slice', axis: 'time', step: 0 }],
  doesNotDivide: [
    () => [pipe(y, split('vocab', { outer: 'chunk', inner: 'place' }, 7)), here()],
    { op: 'split', axis: 'vocab', size: { text: '50' }, by: 7 },
  ],
  axesDiffer: [() => [pipe(x, ascribe(['batch'])), here()], { op: 'sameAxesAs', expected: ['batch'], given: ['batch', 'time'] }],
  cotangentsMissing: [
    () => [custom({ name: 'twin', forward: (a) => a, vjp: (ct) => [ct, ct] })(x), here()],
    { op: "custom 'twin'", operands: 1, given: 2 },
  ],
  notLinear: [
    () => [tangents([custom({ name: 'clipped', forward: (a) => a, vjp: (ct) => [binary('min')(ct, 1)] })(x)], [[x, x]])[0]!, here()],
    { op: "custom 'clipped'" },
  ],
}

test.each([
  ['an inner axis without elements', () => pipe(y, split('vocab', { outer: 'chunk', inner: 'place' }, 0)), 'sizeTooSmall'],
  ['a broken inner size', () => pipe(y, split('vocab', { outer: 'chunk', inner: 'place' }, 2.5)), 'badSize'],
  ['a size below 0', () => pipe(x, broadcastTo([{ name: 'head', size: sizes.literal(-2) }, ...x.axes])), 'sizeTooSmall'],
  [
    'a broadcast along an axis that is there',
    () => pipe(x, broadcastTo([{ name: 'time', size: sizes.literal(3) }, ...x.axes])),
    'axisExists',
  ],
  ['an input with an axis twice', () => build.input('x', 'f32', [...x.axes, ...x.axes.slice(0, 1)]), 'axisTwice'],
  ['an index below 0 of u32', () => binary('less')(map('toU32', ids), -1), 'numberDoesNotFit'],
  ['a number other than 0 and 1 beside a bool', () => build.select(map('toBool', x), 2, map('toBool', x)), 'numberDoesNotFit'],
])('%s is refused', (_, make, tag) =>
  expect(graphErrors(program({ inputs: {}, body: () => ({ outputs: { y: make() } }) }))).toMatchObject([{ tag }]),
)

describe.each(Object.entries(mistakes))('%s', (tag, [make, says]) => {
  const [made, at] = make()
  test('says what it is, with the numbers and the line', () => expect(errorsOf(made)).toMatchObject([{ tag, ...says, at }]))
})

test('each renders as three lines', () => {
  const rendered = Object.values(mistakes).map(([make]) => errorsOf(make()[0]).map(renderGraphError).join('\n'))
  expect(still(rendered.join('\n'))).toMatchInlineSnapshot(`
    "sub at test/dsl/errors.test.ts:LINE
      because: axis 'time' has size time on the left and time − 1 on the right
      try: slice or pad one of them, or rename the axis if the two are different things
    mul at test/dsl/errors.test.ts:LINE
      because: neither operand has all the axes of the other: one has 'batch', 'time', one 'batch', 'vocab'
      try: write outer(x, y) if every pair is meant, or sum or rename an axis that should not be there
    sum over 'tmie' at test/dsl/errors.test.ts:LINE
      because: the tensor has axes 'batch', 'time'
      try: did you mean 'time'?
    rename onto 'batch' at test/dsl/errors.test.ts:LINE
      because: the tensor already has axes 'batch', 'time'
      try: choose a name that is free, or rename the other axis first
    max at test/dsl/errors.test.ts:LINE
      because: axis 'time' is named twice
      try: name each axis once
    slice along 'vocab' at test/dsl/errors.test.ts:LINE
      because: the axis has size 50 and at least 55 is needed
      try: choose bounds inside the axis
    add at test/dsl/errors.test.ts:LINE
      because: it takes numbers of one type and was given f32, i32
      try: cast an operand (toF32, toI32, toU32, toBool)
    broadcast along 'head' at test/dsl/errors.test.ts:LINE
      because: the size is 2.5, and a size is a whole number of at least 0
      try: round it, or use the size of an axis (sizeOf, sizeAlong)
    the number 0.5 at test/dsl/errors.test.ts:LINE
      because: beside i32 it must be a whole number from −2³¹ to 2³¹ − 1
      try: cast the tensor with toF32 first, or choose another number
    slice along 'time' at test/dsl/errors.test.ts:LINE
      because: the step is 0 and must be a whole number of at least 1
      try: use a positive whole step
    split of 'vocab' at test/dsl/errors.test.ts:LINE
      because: the axis has size 50, which 7 does not divide
      try: choose a size that divides it, or slice or pad the axis first
    sameAxesAs at test/dsl/errors.test.ts:LINE
      because: the axes must be 'batch' and are 'batch', 'time'
      try: sum, rename or broadcast until they are the same
    custom 'twin' at test/dsl/errors.test.ts:LINE
      because: its vjp gives 2 cotangents for 1 operands
      try: give one for each operand in order, 'none' where there is none
    forward mode of custom 'clipped' at test/dsl/errors.test.ts:LINE
      because: it is the transpose of the vjp, and this one is not linear in the cotangent
      try: use reverse mode alone (grad, vjp), or make the vjp of the cotangent by sums, products with other tensors and selections"
  `)
})

test('a misspelt axis suggests the nearest, and none that is far', () => {
  const attempts = ['tiem', 'bacth', 'vocabulary'].map((name) => errorsOf(sum(name)(x)).map(renderGraphError).join('').split('try: ')[1])
  expect(attempts).toEqual([`did you mean 'time'?`, `did you mean 'batch'?`, `name one of 'batch', 'time'`])
})

test('what a mistake is used for is checked as if it had been meant', () => {
  const product = contract('vocab')(sum('tmie')(x), y)
  expect(errorsOf(product)).toMatchObject([{ tag: 'noSuchAxis', op: 'contract', axis: 'vocab', has: ['batch'] }])
})

test('a new axis must have a name that is free, but for the axes that go', () => {
  const pair = (outer: string, inner: string) => ({ outer, inner })
  expect(errorsOf(split('time', pair('batch', 'inner'), 2)(x)).map(({ tag }) => tag)).toEqual(['axisExists'])
  expect(errorsOf(split('time', pair('inner', 'inner'), 2)(x)).map(({ tag }) => tag)).toEqual(['axisTwice'])
  expect(errorsOf(split('time', pair('time', 'inner'), 2)(x))).toEqual([])
  expect(errorsOf(build.merge('batch', pair('batch', 'time'))(x))).toEqual([])
  expect(errorsOf(build.merge('vocab', pair('batch', 'time'))(build.contract()(x, y))).map(({ tag }) => tag)).toEqual(['axisExists'])
  expect(errorsOf(build.concat('time')(x, y)).map(({ tag }) => tag)).toEqual(['axesDiffer'])
})

test('a slice or a pad of a misspelt axis is one mistake', () => {
  const made = [pipe(x, sliceBetween('tmie', 1, -1, 2)), pipe(x, build.padAround('tmie', 1, 0))]
  expect(made.map(errorsOf)).toMatchObject([[{ tag: 'noSuchAxis' }], [{ tag: 'noSuchAxis' }]])
})

test('an operation with several mistakes reports all of them', () => {
  expect(errorsOf(map('add', x, map('toI32', y))).map(({ tag }) => tag)).toEqual(['typesDoNotFit', 'axesDoNotNest'])
})

test('building never throws, whatever it is given', () => {
  const tensors = [x, y, ids, build.constant(1), map('less', x, x), sum('nowhere')(x)]
  const names = ['time', 'batch', 'vocab', 'nowhere', '']
  const size = sizes.literal(-3)
  const all = tensors.flatMap((a) =>
    names.flatMap((name) => [
      sum(name)(a),
      max(name, name)(a),
      rename({ [name]: 'batch' })(a),
      slice(name, { start: size, step: -1, size })(a),
      build.pad(name, { start: size, step: 0.5, size })(a),
      build.padAround(name, -9, -9)(a),
      build.flip(name)(a),
      split(name, { outer: 'batch', inner: 'batch' }, 0.5)(a),
      build.merge('time', { outer: name, inner: 'batch' })(a),
      broadcastTo([axis(name, 3)])(a),
      ...tensors.flatMap((b) => [
        contract(name)(a, b),
        build.concat(name)(a, b),
        gather(name)(b)(a),
        scatterAdd(name, b, size, [name])(a),
        map('select', a, b, a),
        map('exp', a),
      ]),
    ]),
  )
  expect(all.every((made) => made.node.tag !== 'invalid' || made.node.errors.length > 0)).toBe(true)
})
