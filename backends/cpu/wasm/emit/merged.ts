import {
  copy,
  createExprs,
  type Expr,
  exprsIn,
  exprsOf,
  type For,
  type Kernel,
  type Loop,
  ownExprs,
  type Parameter,
  sameNames,
  type Statement,
  withInner,
} from '../../../../compiler/index.js'
import { sizes } from '../../../../dsl/index.js'
import { isSame, stridesAlong, times } from './strides.js'

/** A kernel whose loops over what is stored end to end are one. */
export interface Merged {
  readonly space: readonly Loop[]
  readonly body: readonly Statement[]
  /** By the index of a loop of the space: those that it is made of. */
  readonly madeOf: ReadonlyMap<string, readonly string[]>
}

/** What the parameters of a kernel are, wherever it is run. */
export type Uses = readonly (readonly Parameter[])[]

const sizeOf = (e: Expr, parameters: readonly Parameter[]): sizes.Size | undefined => {
  if (e.tag === 'literal') return sizes.literal(e.value)
  const given = e.tag === 'parameter' ? parameters[e.slot] : undefined
  if (given !== undefined) return given.tag === 'size' ? given.size : undefined
  const [x, y] = e.tag === 'op' ? e.operands.map((operand) => sizeOf(operand, parameters)) : []
  if (e.tag !== 'op' || x === undefined || y === undefined) return undefined
  return e.op === 'add' ? sizes.plus(x, y) : e.op === 'sub' ? sizes.minus(x, y) : e.op === 'mul' ? sizes.times(x, y) : undefined
}

/** Whether two numbers are one at any sizes: a kernel is not asked how its parameters belong together. */
const areEqual = (x: Expr, y: Expr, uses: Uses): boolean =>
  uses.every((parameters) => {
    const [p, q] = [sizeOf(x, parameters), sizeOf(y, parameters)]
    return p !== undefined && q !== undefined && p.text === q.text
  })

/** The places at which statements read and store. */
const placesIn = (statements: readonly Statement[]): readonly Expr[] => [
  ...[...exprsOf(statements)].flatMap((e) => (e.tag === 'read' ? [e.at] : [])),
  ...statements.flatMap(withInner).flatMap((s) => (s.tag === 'store' ? [s.at] : [])),
]

/** Whether an index stands anywhere but in a place. */
const standsAlone = (statements: readonly Statement[], names: ReadonlySet<string>): boolean => {
  const outside = (e: Expr): boolean => (e.tag === 'index' ? names.has(e.name) : e.tag === 'op' && e.operands.some(outside))
  return statements.flatMap(withInner).some((s) => ownExprs(s.tag === 'store' ? { ...s, at: s.value } : s).some(outside))
}

/** Whether every place moves along the outer loop by as much as along the whole of the inner one. */
const areOne = (outer: Loop, inner: Loop, body: readonly Statement[], uses: Uses): boolean => {
  if (standsAlone(body, new Set([outer.index, inner.index]))) return false
  const [along, within] = [outer, inner].map(({ index }) => stridesAlong(index, () => 'same')) as [Strides, Strides]
  return placesIn(body).every((at) => {
    const [far, near] = [along(at), within(at)]
    if (far === undefined || near === undefined) return false
    return (isSame(far) && isSame(near)) || areEqual(far, times(near, inner.extent), uses)
  })
}

type Strides = ReturnType<typeof stridesAlong>

/** The inner loop goes through all of both, the outer one is gone. */
const withoutOuter = (outer: Loop, body: readonly Statement[]): readonly Statement[] => {
  const exprs = createExprs()
  return copy(exprs, { ...sameNames(exprs), index: (name) => (name === outer.index ? exprs.literal(0) : exprs.index(name)) })(body)
}

const both = (outer: Loop, inner: Loop): Loop => ({ index: inner.index, extent: times(outer.extent, inner.extent) })

/** Loops of a body, each of which is all that is in another. */
const inBody = (statements: readonly Statement[], uses: Uses): readonly Statement[] =>
  statements.map((s): Statement => {
    if (s.tag === 'if') return { ...s, body: inBody(s.body, uses) }
    if (s.tag !== 'for') return s
    const loop: For = { ...s, body: inBody(s.body, uses) }
    const [only, ...others] = loop.body
    if (only?.tag !== 'for' || others.length > 0 || mentionsExtent(only, loop.loop) || !areOne(loop.loop, only.loop, only.body, uses))
      return loop
    return { ...only, loop: both(loop.loop, only.loop), body: withoutOuter(loop.loop, only.body) }
  })

const mentionsExtent = ({ loop: { extent } }: For, { index }: Loop): boolean =>
  [...exprsIn(extent)].some((e) => e.tag === 'index' && e.name === index)

/** Merge what loops go over end to end: fewer divisions where points are counted, and more to run in lanes. */
export const merged = ({ space }: Kernel, body: readonly Statement[], used: Uses): Merged => {
  const uses = used.length === 0 ? [[]] : used
  const madeOf = new Map<string, readonly string[]>(space.map(({ index }) => [index, [index]]))
  const all = (loops: readonly Loop[], statements: readonly Statement[]): Merged => {
    for (const outer of loops)
      for (const inner of loops)
        if (outer !== inner && areOne(outer, inner, statements, uses)) {
          madeOf.set(inner.index, [...(madeOf.get(outer.index) ?? []), ...(madeOf.get(inner.index) ?? [])])
          madeOf.delete(outer.index)
          const rest = loops.flatMap((loop) => (loop === outer ? [] : [loop === inner ? both(outer, inner) : loop]))
          return all(rest, withoutOuter(outer, statements))
        }
    return { space: loops, body: statements, madeOf }
  }
  return all(space, inBody(body, uses))
}
