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
  const { binary, broadcastTo, constant, contract, gather, map, max, rename, scatterAdd, select, sliceBetween, sum } = build
  test.each<readonly [string, readonly string[], (given: Given) => readonly AnyTensor[]]>([
    ['sizes that differ', ['sizesDiffer'], ({ x }) => [binary('sub')(x, sliceBetween('time', 1, undefined, 1)(x))]],
    ['axes of which neither has the other', ['axesDoNotNest'], ({ x, fixed }) => [binary('add')(x, fixed)]],
    ['an axis that is missing', ['noSuchAxis'], ({ x }) => [sum('tiem')(x)]],
    ['an axis that both operands must have', ['noSuchAxis'], ({ x, fixed }) => [contract('embed')(x, fixed)]],
    ['an axis that is named twice', ['axisTwice'], ({ x }) => [max('time', 'time')(x)]],
    ['an axis that is made twice', ['axisTwice'], ({ x }) => [broadcastTo([axis('new', 2), axis('new', 2), ...x.axes])(x)]],
    ['a name that is taken', ['axisExists'], ({ x }) => [rename({ time: 'batch' })(x)]],
    ['a place beyond the end', ['sizeTooSmall'], ({ fixed }) => [sliceBetween('embed', 5, undefined, 1)(fixed)]],
    ['a step of 0', ['badStep'], ({ x }) => [sliceBetween('time', 0, undefined, 0)(x)]],
    ['a negative size', ['sizeTooSmall'], ({ ids }) => [scatterAdd('group', ids, sizes.literal(-1), ['batch'])(ids)]],
    ['a size that is no whole number', ['badSize'], () => [build.extent(0.5)]],
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
    ['text in place of numbers', ['notNumbers'], { ...fine, ids: { sizes: [2], data: ['a', 'b'] } }],
    [
      'several at once',
      ['wrongLength', 'wrongSize', 'idOutOfRange'],
      { ...fine, x: { sizes: [2, 2], data: [] }, fixed: nested([1]), ids: nested([0, 9]) },
    ],
  ])('%s', async (_, tags, inputs) => expect(await said(p, inputs)).toEqual(tags))
})
