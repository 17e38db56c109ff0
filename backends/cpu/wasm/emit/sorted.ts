import { type Expr, renamedExpr, sameNames, type Statement } from '../../../../compiler/index.js'
import { builderFor } from './building.js'
import type { Ranking } from './ranking.js'

/** Words of scratch memory for each place: its key and itself, twice. */
const wordsEach = 4

/** One place more of each is read, and not used, behind the last run. */
const withOneMore = 1

/** The bytes of scratch memory that a row of so many places needs. */
export const sortBytes = (places: number): number => 4 * wordsEach * (places + withOneMore)

/** What it takes to merge one place once, in nanoseconds, roughly. */
const mergeTime = 3

/** What it takes to sort so many rows, in nanoseconds, roughly. */
export const sortTime = (rows: number, places: number): number => mergeTime * rows * places * Math.max(1, Math.ceil(Math.log2(places)))

/** Runs that are longer than the last of so many passes merges have no room in memory. */
const mostPasses = 31

type Variable = Extract<Expr, { readonly tag: 'variable' }>

export interface Sorted {
  readonly body: readonly Statement[]
  /** The statements in which a loop may be chosen to run in lanes. */
  readonly mayChoose: readonly Statement[]
}

/**
 * A row sorted from the bottom up: runs of 1, 2, 4, … places are merged in pairs from one half of the scratch memory to the other. Of equal
 * keys that of the first run is first, so they stay in the order of their places.
 */
export const sorted = ({ places, key, store, rank }: Ranking, scratch: number, firstLoop: number): Sorted => {
  const b = builderFor(scratch, firstLoop)
  const { exprs } = b
  const { op, plus, minus, times, literal, read, variable } = exprs
  const count = renamedExpr(exprs, sameNames(exprs))(places.extent)
  const half = plus(count, literal(withOneMore))
  const int = (name: string): Variable => variable(name, 'i32')
  const [width, from, left, leftEnd, right, rightEnd] = [
    int('width'),
    int('from'),
    int('left'),
    int('leftEnd'),
    int('right'),
    int('rightEnd'),
  ]
  const [leftKey, rightKey, isLeft] = [variable('leftKey', 'u32'), variable('rightKey', 'u32'), variable('isLeft', 'bool')]
  const declare = ({ name }: Variable, value: Expr): Statement => ({ tag: 'var', name, value })
  const assign = ({ name }: Variable, value: Expr): Statement => ({ tag: 'assign', name, value })
  const placesAt = (at: Expr): Expr => plus(times(half, literal(2)), at)
  const keep = (at: Expr, value: Expr): Statement => ({ tag: 'store', buffer: scratch, at, value })
  const atPlace = (k: Expr) => ({ ...sameNames(exprs), index: (name: string) => (name === places.index ? k : exprs.index(name)) })
  const min = (x: Expr, y: Expr): Expr => op('min', 'i32', x, y)
  const choose = (x: Expr, y: Expr, dtype: 'i32' | 'u32'): Expr => op('select', dtype, isLeft, x, y)

  const fill = b.loop(count, (k) => [keep(k, renamedExpr(exprs, atPlace(k))(key)), keep(placesAt(k), k)])
  const nextPair = (t: Expr): readonly Statement[] => [
    assign(left, t),
    assign(leftEnd, min(plus(t, width), count)),
    assign(right, leftEnd),
    assign(rightEnd, min(plus(leftEnd, width), count)),
  ]
  const notAfter = op('not', 'bool', op('less', 'bool', rightKey, leftKey))
  const mergeOne = (t: Expr): readonly Statement[] => [
    { tag: 'if', condition: op('equal', 'bool', t, rightEnd), body: nextPair(t) },
    declare(leftKey, read(scratch, 'u32', plus(from, left))),
    declare(rightKey, read(scratch, 'u32', plus(from, right))),
    declare(
      isLeft,
      op('and', 'bool', op('less', 'bool', left, leftEnd), op('or', 'bool', op('lessEqual', 'bool', rightEnd, right), notAfter)),
    ),
    keep(plus(minus(half, from), t), choose(leftKey, rightKey, 'u32')),
    keep(placesAt(plus(minus(half, from), t)), read(scratch, 'i32', placesAt(plus(from, choose(left, right, 'i32'))))),
    assign(left, plus(left, choose(literal(1), literal(0), 'i32'))),
    assign(right, plus(right, choose(literal(0), literal(1), 'i32'))),
  ]
  const pass: readonly Statement[] = [
    ...[left, leftEnd, right, rightEnd].map((x) => declare(x, literal(0))),
    b.loop(count, mergeOne),
    assign(width, times(width, literal(2))),
    assign(from, minus(half, from)),
  ]
  const put = b.loop(count, (t) => {
    const at = renamedExpr(exprs, { ...sameNames(exprs), variable: (name) => (name === rank ? 'standing' : name) })(store.at)
    return [
      { tag: 'let', name: 'standing', value: t },
      { ...store, at, value: read(scratch, 'i32', placesAt(plus(from, t))) },
    ]
  })
  return {
    body: [
      fill,
      declare(width, literal(1)),
      declare(from, literal(0)),
      b.loop(literal(mostPasses), () => [{ tag: 'if', condition: op('less', 'bool', width, count), body: pass }]),
      put,
    ],
    mayChoose: [fill, put],
  }
}
