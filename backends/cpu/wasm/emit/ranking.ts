import {
  createExprs,
  type Expr,
  type Exprs,
  indicesIn,
  type Kernel,
  type Loop,
  renamedExpr,
  sameNames,
  type Statement,
} from '../../../../compiler/index.js'

/** A kernel that puts each number's place where it stands among those along its loop: it counts the smaller ones, and of equal ones the earlier. */
export interface Ranking {
  /** The loops of the space but that of the places. */
  readonly rows: readonly Loop[]
  readonly places: Loop
  /** What is compared, a u32, at a place. */
  readonly key: Expr
  readonly store: Extract<Statement, { readonly tag: 'store' }>
  /** In `store`: the variable that says where a place stands. */
  readonly rank: string
}

type For = Extract<Statement, { readonly tag: 'for' }>

const isLess = (e: Expr | undefined): readonly Expr[] => (e?.tag === 'op' && e.op === 'less' ? e.operands : [])

/** other < own, of the key at the loop's place and that at the space's, in what an assignment counts. */
const keysIn = ({
  body: [s],
}: For): { readonly value: Expr; readonly name: string; readonly own: Expr; readonly other: Expr } | undefined => {
  if (s?.tag !== 'assign' || s.value.tag !== 'op') return undefined
  const isBefore = s.value.operands[1]?.tag === 'op' ? s.value.operands[1].operands[0] : undefined
  const [other, own] = isBefore?.tag === 'op' ? isLess(isBefore.operands[0]) : []
  return own && other && { value: s.value, name: s.name, own, other }
}

const termsOf = (e: Expr): readonly Expr[] => (e.tag === 'op' && e.op === 'add' && e.dtype === 'i32' ? e.operands.flatMap(termsOf) : [e])

/** Expressions whose sums have one order: a place is summed from the outermost loop on, and its loop may stand elsewhere. */
const inOneOrder = (exprs: Exprs): Exprs => ({
  ...exprs,
  plus: (x, y) =>
    [...termsOf(x), ...termsOf(y)]
      .toSorted((p, q) => exprs.idOf(p) - exprs.idOf(q))
      .reduce((sum, term) => exprs.op('add', 'i32', sum, term)),
})

/** A kernel, its body in full, as one that ranks; undefined where it does anything else. */
export const rankingOf = ({ space }: Pick<Kernel, 'space'>, body: readonly Statement[]): Ranking | undefined => {
  const [start, loop, store, ...rest] = body
  if (start?.tag !== 'var' || loop?.tag !== 'for' || loop.body.length !== 1 || store?.tag !== 'store' || rest.length > 0) return undefined
  const found = keysIn(loop)
  const places = space.find(({ index }) => store.value.tag === 'index' && store.value.name === index)
  if (found === undefined || places === undefined || found.own.dtype !== 'u32' || indicesIn(store.at).has(places.index)) return undefined
  const exprs = inOneOrder(createExprs())
  const same = renamedExpr(exprs, sameNames(exprs))
  const moved = renamedExpr(exprs, {
    ...sameNames(exprs),
    index: (name) => exprs.index(name === places.index ? loop.loop.index : name),
  })
  const { op, literal, index, variable, plus } = exprs
  const [own, other, count] = [same(found.own), same(found.other), variable(start.name, 'i32')]
  const isEarlier = op('less', 'bool', index(loop.loop.index), index(places.index))
  const isBefore = op('or', 'bool', op('less', 'bool', other, own), op('and', 'bool', op('equal', 'bool', other, own), isEarlier))
  const counted = plus(count, op('select', 'i32', isBefore, literal(1), literal(0)))
  const isRanking =
    found.name === start.name &&
    same(start.value) === literal(0) &&
    moved(own) === other &&
    same(found.value) === counted &&
    same(loop.loop.extent) === same(places.extent)
  return isRanking ? { rows: space.filter((other) => other !== places), places, key: found.own, store, rank: start.name } : undefined
}
