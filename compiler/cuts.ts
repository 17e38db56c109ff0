import type { Expr, Loop, Statement } from './loop-ir.js'
import { withInner } from './within.js'

/** How many outputs a tile has along the outer and along the inner of the loops that are cut. */
export interface Sides {
  readonly outer: number
  readonly inner: number
}

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

/** A sum of products: its variable and the two factors. */
interface Products {
  readonly name: string
  readonly factors: readonly [Expr, Expr]
}

/** Undefined where the body is not one sum of products and no more. */
export const productIn = (body: readonly Statement[]): Products | undefined => {
  const [only, ...others] = body.filter(({ tag }) => tag === 'for' || tag === 'assign')
  if (only === undefined || others.length > 0) return undefined
  if (only.tag === 'for') return productIn(only.body)
  const product = only.tag === 'assign' && only.value.tag === 'op' && only.value.op === 'add' ? only.value.operands[1] : undefined
  const [x, y] = product?.tag === 'op' && product.op === 'mul' ? product.operands : []
  return only.tag === 'assign' && x !== undefined && y !== undefined ? { name: only.name, factors: [x, y] } : undefined
}

/** An extent that the side divides is the best to cut, then one that is open or long. */
const worth = ({ extent }: Loop, side: number): number =>
  extent.tag !== 'literal' ? 1 : extent.value % side === 0 ? 2 : extent.value > 2 * side ? 1 : 0

/** The innermost of those worth most: it lies closest in memory. */
const best = (loops: readonly Loop[], side: number): readonly Loop[] => {
  const most = Math.max(1, ...loops.map((loop) => worth(loop, side)))
  return loops.filter((loop) => worth(loop, side) === most).slice(-1)
}

/** The indices by which loops inside are longer or shorter: what differs in them cannot turn together. */
const lengthening = (body: readonly Statement[]): ReadonlySet<string> =>
  new Set(body.flatMap(withInner).flatMap((s) => (s.tag === 'for' ? [...indicesIn(s.loop.extent)] : [])))

/**
 * Where to cut the space of a contraction: for each factor, along a loop that it depends on and the other does not, so that what the
 * other reads serves a whole row of outputs. No cuts where the body does not sum products.
 */
export const cutsOf = (space: readonly Loop[], body: readonly Statement[], { outer, inner }: Sides): readonly Cut[] => {
  const used = (productIn(body)?.factors ?? []).map(indicesIn)
  const fixed = lengthening(body)
  const alone = used.map((own, i) =>
    space.filter(({ index }) => own.has(index) && !fixed.has(index) && used.every((other, j) => i === j || !other.has(index))),
  )
  const chosen = alone.flatMap((loops) => best(loops, inner))
  const isInner = (loop: Loop): boolean => chosen.every((other) => space.indexOf(other) <= space.indexOf(loop))
  return chosen.map((loop) => {
    const side = isInner(loop) ? inner : outer
    return { loop, side, ragged: loop.extent.tag !== 'literal' || loop.extent.value % side !== 0 }
  })
}
