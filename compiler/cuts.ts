import type { Expr, Loop, Statement } from './loop-ir.js'

/** A loop of the space that is cut into pieces of `side`; the last may be ragged, where `side` does not surely divide the extent. */
export interface Cut {
  readonly loop: Loop
  readonly side: number
  readonly ragged: boolean
}

/** The names of the loops that an expression's value depends on, those its reads are placed by among them. */
export const indicesIn = (e: Expr): ReadonlySet<string> => {
  const found = new Set<string>()
  const seen = new Set<Expr>()
  const visit = (x: Expr): void => {
    if (seen.has(x)) return
    seen.add(x)
    if (x.tag === 'index') found.add(x.name)
    else if (x.tag === 'read') visit(x.at)
    else if (x.tag === 'op') x.operands.forEach(visit)
  }
  visit(e)
  return found
}

/** The two factors of the sum, where the body is a sum of products and no more. */
const factorsOf = (body: readonly Statement[]): readonly Expr[] => {
  const [only, ...others] = body.filter(({ tag }) => tag === 'for' || tag === 'assign')
  if (only === undefined || others.length > 0) return []
  if (only.tag === 'for') return factorsOf(only.body)
  const product = only.tag === 'assign' && only.value.tag === 'op' && only.value.op === 'add' ? only.value.operands[1] : undefined
  return product?.tag === 'op' && product.op === 'mul' ? product.operands : []
}

/** An extent that the side divides is the best to cut, then one that is open or long. */
const worth = ({ extent }: Loop, side: number): number =>
  extent.tag !== 'literal' ? 1 : extent.value % side === 0 ? 2 : extent.value > 2 * side ? 1 : 0

/** The innermost of those worth most: it lies closest in memory. */
const best = (loops: readonly Loop[], side: number): readonly Loop[] => {
  const most = Math.max(1, ...loops.map((loop) => worth(loop, side)))
  return loops.filter((loop) => worth(loop, side) === most).slice(-1)
}

/**
 * Where to cut the space of a contraction: for each factor, along a loop that it depends on and the other does not, so that what the
 * other reads serves a whole row of outputs. No cuts where the body does not sum products.
 */
export const cutsOf = (space: readonly Loop[], body: readonly Statement[], side: number): readonly Cut[] => {
  const used = factorsOf(body).map(indicesIn)
  const alone = used.map((own, i) => space.filter(({ index }) => own.has(index) && used.every((other, j) => i === j || !other.has(index))))
  return alone
    .flatMap((loops) => best(loops, side))
    .map((loop) => ({ loop, side, ragged: loop.extent.tag !== 'literal' || loop.extent.value % side !== 0 }))
}
