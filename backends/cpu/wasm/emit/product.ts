import { type Expr, indicesIn, type Kernel, type Loop, type Statement } from '../../../../compiler/index.js'
import { isStoredAlong } from './strides.js'

/** A kernel that sums products, taken apart. Its rows and columns are the points of its space along which one factor changes alone. */
export interface Product {
  /** Loops along which both factors change. */
  readonly batch: readonly Loop[]
  readonly rows: readonly Loop[]
  readonly columns: readonly Loop[]
  readonly over: readonly Loop[]
  /** The factor of the rows, and that of the columns. */
  readonly left: Expr
  readonly right: Expr
  /** What is done with the sum. */
  readonly sum: string
  readonly rest: readonly Statement[]
}

/** The loops of a perfect nest, outermost first, and the one statement inside. */
const nested = (s: Statement): { readonly loops: readonly Loop[]; readonly inside: Statement } | undefined => {
  if (s.tag !== 'for') return { loops: [], inside: s }
  const [only, ...others] = s.body
  const inner = only === undefined || others.length > 0 ? undefined : nested(only)
  return inner && { loops: [s.loop, ...inner.loops], inside: inner.inside }
}

const factorsOf = (s: Statement, name: string): readonly [Expr, Expr] | undefined => {
  if (s.tag !== 'assign' || s.name !== name || s.value.tag !== 'op' || s.value.op !== 'add' || s.value.dtype !== 'f32') return undefined
  const product = s.value.operands[1]
  const [x, y] = product?.tag === 'op' && product.op === 'mul' ? product.operands : []
  return x === undefined || y === undefined ? undefined : [x, y]
}

const isZero = (e: Expr): boolean => e.tag === 'literal' && e.value === 0

/** A kernel, its body in full, as a product of matrices; undefined where it is none. */
export const productOf = ({ space }: Kernel, [start, loop, ...rest]: readonly Statement[]): Product | undefined => {
  if (start?.tag !== 'var' || !isZero(start.value) || loop?.tag !== 'for') return undefined
  if (rest.some((s) => s.tag === 'for' || s.tag === 'if')) return undefined
  const nest = nested(loop)
  const factors = nest && factorsOf(nest.inside, start.name)
  if (nest === undefined || factors === undefined) return undefined
  const [x, y] = factors.map((factor) => ({ factor, indices: indicesIn(factor) })) as [Side, Side]
  const alone = (side: Side, other: Side): readonly Loop[] =>
    space.filter(({ index }) => side.indices.has(index) && !other.indices.has(index))
  const stored = rest.flatMap((s) => (s.tag === 'store' ? [s.at] : []))
  const ofX = alone(x, y).some(({ index }) => isStoredAlong(index, stored))
  const [left, right] = ofX ? [y, x] : [x, y]
  const [rows, columns] = [alone(left, right), alone(right, left)]
  return rows.length === 0 || columns.length === 0
    ? undefined
    : {
        batch: space.filter((loop) => !rows.includes(loop) && !columns.includes(loop)),
        rows,
        columns,
        over: nest.loops,
        left: left.factor,
        right: right.factor,
        sum: start.name,
        rest,
      }
}

interface Side {
  readonly factor: Expr
  readonly indices: ReadonlySet<string>
}
