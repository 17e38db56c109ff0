import * as E from 'fp-ts/lib/Either.js'
import { afterAll, describe, expect, test } from 'vitest'
import { evaluate, openCpu } from '../../backends/cpu/index.js'
import { interpret, type Plan, plan } from '../../compiler/index.js'
import { type AnyTensor, bool, build, f32, i32, nested, type Program, program, sizes } from '../../dsl/index.js'

const device = openCpu()
afterAll(device.release)

type Anything = Program<unknown, unknown, unknown>
type Tagged = readonly { readonly tag: string }[]

const tagsOf: (run: E.Either<Tagged, unknown>) => readonly string[] = E.fold(
  (errors) => errors.map(({ tag }) => tag),
  () => [],
)

const onDevice = async (p: Anything, inputs: unknown): Promise<readonly string[]> => {
  const planned = plan(p)
  if (E.isLeft(planned)) return tagsOf(planned)
  const loaded = await device.load(planned.right)()
  return E.isLeft(loaded) ? [loaded.left.tag] : tagsOf(await loaded.right.run(inputs as never)())
}

/** What the reference, the interpreter and a device say of a run: they say the same, and nothing throws. */
const said = async (p: Anything, inputs: unknown = {}): Promise<readonly string[]> => {
  const interpreted = E.chainW((made: Plan) => interpret(made)(inputs as never))(plan(p))
  const all = [tagsOf(evaluate(p, inputs as never)), tagsOf(interpreted), await onDevice(p, inputs)]
  expect(all).toEqual(all.map(() => all[0]))
  return all[0]!
}

const inputs = { x: f32('batch', 'time'), fixed: f32({ embed: 4 }), ids: i32('batch'), mask: bool('batch') }

interface Given {
  readonly x: AnyTensor
  readonly fixed: AnyTensor
  readonly ids: AnyTensor
  readonly mask: AnyTensor
}

const of = (body: (given: Given) => readonly AnyTensor[]): Anything => program({ inputs, body: (given) => ({ outputs: body(given) }) })

const axis = (name: string, size: number) => ({ name, size: sizes.literal(size) })

describe('of an expression', () => {
  const { binary, broadcastTo, constant, contract, gather, map, max, padAround, rename, scatterAdd, select, sliceBetween, split, sum } =
    build
  const pair = { outer: 'outer', inner: 'inner' }
  test.each<readonly [string, readonly string[], (given: Given) => readonly AnyTensor[]]>([
    ['sizes that differ', ['sizesDiffer'], ({ x }) => [binary('sub')(x, sliceBetween('time', 1, undefined, 1)(x))]],
    ['axes of which neither has the other', ['axesDoNotNest'], ({ x, fixed }) => [binary('add')(x, fixed)]],
    ['an axis that is missing', ['noSuchAxis'], ({ x }) => [sum('tiem')(x)]],
    ['an axis that both operands must have', ['noSuchAxis'], ({ x, fixed }) => [contract('embed')(x, fixed)]],
    ['an axis that is named twice', ['axisTwice'], ({ x }) => [max('time', 'time', 'time')(x)]],
    ['an axis that is made twice', ['axisTwice'], ({ x }) => [broadcastTo([axis('new', 2), axis('new', 2), ...x.axes])(x)]],
    ['a name that is taken', ['axisExists'], ({ x }) => [rename({ time: 'batch' })(x)]],
    ['a place beyond the end', ['sizeTooSmall'], ({ fixed }) => [sliceBetween('embed', 5, undefined, 1)(fixed)]],
    ['a stepped slice from beyond the end', ['sizeTooSmall'], ({ fixed }) => [sliceBetween('embed', 6, undefined, 4)(fixed)]],
    ['a stepped slice to beyond the end', ['sizeTooSmall'], ({ fixed }) => [sliceBetween('embed', 3, 5, 2)(fixed)]],
    ['a slice from before the start', ['sizeTooSmall'], ({ fixed }) => [sliceBetween('embed', -5, undefined, 1)(fixed)]],
    ['a slice that ends before it begins', ['sizeTooSmall'], ({ fixed }) => [sliceBetween('embed', 3, 1, 2)(fixed)]],
    ['a slice from and to no whole numbers', ['badSize'], ({ fixed }) => [sliceBetween('embed', 0.5, 2.5, 1)(fixed)]],
    ['a pad by no whole number', ['badSize'], ({ fixed }) => [padAround('embed', 0.5, 0)(fixed)]],
    ['a pad by less than nothing', ['sizeTooSmall'], ({ fixed }) => [padAround('embed', -1, 0)(fixed)]],
    ['a pad by less than nothing on both sides', ['sizeTooSmall', 'sizeTooSmall'], ({ fixed }) => [padAround('embed', -1, -9)(fixed)]],
    ['a split that does not divide', ['doesNotDivide'], ({ fixed }) => [split('embed', pair, 3)(fixed)]],
    ['a step of 0', ['badStep'], ({ x }) => [sliceBetween('time', 0, undefined, 0)(x)]],
    ['a negative size', ['sizeTooSmall'], ({ ids }) => [scatterAdd('group', ids, sizes.literal(-1), ['batch'])(ids)]],
    ['a size that is no whole number', ['badSize'], () => [build.extent(0.5)]],
    ['an axis longer than kernels count', ['tooLarge'], () => [build.iota('place', 2 ** 31)]],
    ['a size greater than kernels count', ['tooLarge'], () => [build.extent(2 ** 31)]],
    [
      'more elements than kernels count',
      ['tooLarge'],
      () => [max('a', 'b')(broadcastTo([axis('a', 2 ** 16), axis('b', 2 ** 15)])(constant(1)))],
    ],
    ['types that do not fit', ['typesDoNotFit'], ({ x, ids }) => [binary('add')(x, ids)]],
    ['ids that are no integers', ['typesDoNotFit'], ({ x, fixed }) => [gather('time')(fixed)(x)]],
    ['a number that is no integer beside integers', ['numberDoesNotFit'], ({ ids }) => [binary('add')(ids, 0.5)]],
    ['a number that no u32 holds', ['numberDoesNotFit'], ({ ids }) => [binary('less')(map('toU32', ids), -1)]],
    ['a number that is neither true nor false', ['numberDoesNotFit'], ({ mask }) => [select(mask, constant(2, 'bool'), mask)]],
    [
      'several at once',
      ['noSuchAxis', 'axesDoNotNest', 'badStep'],
      ({ x, fixed }) => [binary('add')(sum('tiem')(x), fixed), sliceBetween('embed', 0, undefined, -1)(fixed)],
    ],
  ])('%s', async (_, tags, body) => expect(await said(of(body))).toEqual(tags))
})

test('an axis that a spec declares twice', async () => {
  const twice = f32('time', 'time' as never)
  expect(await said(program({ inputs: { x: twice }, body: ({ x }) => ({ outputs: { x } }) }))).toEqual(['axisTwice'])
})

describe('of values', () => {
  const p = of(({ x, fixed, ids, mask }) => [x, fixed, build.gather('embed')(ids)(fixed), mask])
  const fine = { x: nested([[1, 2], [3, 4]]), fixed: nested([1, 2, 3, 4]), ids: nested([0, 3]), mask: nested([0, 1]) } // prettier-ignore
  const { x: _x, ...withoutX } = fine

  test('none that is wrong', async () => expect(await said(p, fine)).toEqual([]))

  test.each<readonly [string, readonly string[], unknown]>([
    ['one that is missing', ['unbound'], withoutX],
    ['none at all', ['unbound', 'unbound', 'unbound', 'unbound'], {}],
    ['one too many', ['notDeclared'], { ...fine, y: 1 }],
    ['an axis too few', ['wrongRank'], { ...fine, x: nested([1, 2]) }],
    ['a buffer of the wrong length', ['wrongLength'], { ...fine, x: { sizes: [2, 2], data: new Float32Array(3) } }],
    ['a negative size', ['badSizes', 'axisBoundTwice'], { ...fine, mask: { sizes: [-2], data: [] } }],
    ['a size that is no whole number', ['badSizes', 'wrongSize'], { ...fine, fixed: { sizes: [4.5], data: [1, 2, 3, 4] } }],
    ['another size than declared', ['wrongSize'], { ...fine, fixed: nested([1, 2, 3]) }],
    ['two sizes of one axis', ['axisBoundTwice'], { ...fine, mask: nested([0, 1, 1]) }],
    ['an id beyond the end', ['idOutOfRange'], { ...fine, ids: nested([0, 4]) }],
    ['an id below 0', ['idOutOfRange'], { ...fine, ids: nested([-1, 0]) }],
    ['words of 64 bits', ['notNumbers'], { ...fine, ids: { sizes: [2], data: BigInt64Array.of(0n, 1n) } }],
    ['a broken id', ['wrongNumber'], { ...fine, ids: nested([0, 0.5]) }],
    ['an id that is no number', ['wrongNumber'], { ...fine, ids: nested([0, NaN]) }],
    ['neither true nor false', ['wrongNumber'], { ...fine, mask: nested([0, 2]) }],
    ['text in place of numbers', ['notNumbers'], { ...fine, ids: { sizes: [2], data: ['a', 'b'] } }],
    [
      'several at once',
      ['wrongLength', 'wrongSize', 'idOutOfRange'],
      { ...fine, x: { sizes: [2, 2], data: [] }, fixed: nested([1]), ids: nested([0, 9]) },
    ],
  ])('%s', async (_, tags, inputs) => expect(await said(p, inputs)).toEqual(tags))
})

describe('of sizes, once they are bound', () => {
  const { binary, extent, map, padAround, sliceBetween, split, sum } = build
  const { minus, sizeOf, times } = sizes
  const open = (body: (given: { readonly x: AnyTensor; readonly y: AnyTensor }) => AnyTensor): Anything =>
    program({ inputs: { x: f32('time'), y: f32('row') }, body: (given) => ({ outputs: { z: body(given), given } }) })
  const given = (time: number, row: number) => ({ x: nested(Array<number>(time).fill(1)), y: nested(Array<number>(row).fill(1)) })
  const pair = { outer: 'outer', inner: 'inner' }
  const all = (of: AnyTensor): AnyTensor => sum(...of.axes.map(({ name }) => name))(of)
  const product = (x: AnyTensor, y: AnyTensor): AnyTensor => build.contract()(x, y)

  test.each<readonly [string, readonly string[], Anything, readonly [time: number, row: number]]>([
    ['none: a stepped slice may begin where the axis ends', [], open(({ x }) => sliceBetween('time', 2, undefined, 2)(x)), [2, 1]],
    ['sizes that differ', ['sizesUnequal'], open(({ x, y }) => binary('add')(x, build.rename({ row: 'time' })(y))), [2, 3]],
    ['a slice from beyond the end', ['sizeTooSmallOnceBound'], open(({ x }) => sliceBetween('time', 6, undefined, 1)(x)), [4, 1]],
    ['a stepped slice from beyond the end', ['sizeTooSmallOnceBound'], open(({ x }) => sliceBetween('time', 6, undefined, 4)(x)), [4, 1]],
    ['a slice from before the start', ['sizeTooSmallOnceBound'], open(({ x }) => sliceBetween('time', -6, undefined, 2)(x)), [4, 1]],
    ['a slice to before the start', ['sizeTooSmallOnceBound'], open(({ x }) => sliceBetween('time', 0, -6, 1)(x)), [4, 1]],
    ['a pad by less than nothing', ['sizeTooSmallOnceBound'], open(({ x }) => padAround('time', minus(sizeOf('row'), 6), 0)(x)), [4, 1]],
    ['a split that does not divide', ['doesNotDivideOnceBound'], open(({ x }) => split('time', pair, 3)(x)), [4, 1]],
    ['more elements than kernels count', ['tooLarge'], open(({ x, y }) => all(product(x, y))), [2 ** 16, 2 ** 15]],
    ['a size greater than kernels count', ['tooLarge'], open(() => extent(times(sizeOf('time'), sizeOf('row')))), [2 ** 16, 2 ** 15]],
    [
      'an axis longer than kernels count',
      ['tooLarge'],
      open(() => all(map('toF32', build.iota('place', times(sizeOf('time'), sizeOf('row')))))),
      [2 ** 16, 2 ** 15],
    ],
    ['as many as they count', [], open(() => extent(minus(times(sizeOf('time'), sizeOf('row')), 1))), [2 ** 16, 2 ** 15]],
    [
      'several at once',
      ['sizeTooSmallOnceBound', 'doesNotDivideOnceBound'],
      open(({ x, y }) => product(sliceBetween('time', 6, undefined, 1)(x), split('row', pair, 2)(y))),
      [4, 1],
    ],
  ])('%s', async (_, tags, p, [time, row]) => expect(await said(p, given(time, row))).toEqual(tags))
})

describe('a tree may be called as a value is', () => {
  const tree = { sizes: [f32(), f32()], data: { sizes: f32('n'), data: [f32('n')] } } as const
  const p = program({
    inputs: tree,
    body: ({ sizes: [a, b], data: { sizes: x, data } }) => ({
      outputs: { node: build.binary('mul')(build.binary('add')(a, b), build.binary('mul')(x, data[0])) },
    }),
  })
  const fine = { sizes: [1, 2] as const, data: { sizes: nested([3, 4]), data: [nested([5, 6])] as const } }

  test('and is run', async () => {
    expect(await said(p, fine)).toEqual([])
    expect(evaluate(p, fine)).toMatchObject(E.right({ outputs: { node: { data: Float64Array.of(45, 72) } } }))
  })

  test('and a value in place of a tree is one value too many', async () => {
    expect(await said(p, { ...fine, sizes: nested([1]) })).toEqual(['notDeclared', 'unbound', 'unbound'])
  })
})
