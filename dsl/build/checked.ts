import { userCallSite } from '../call-site.js'
import type { Demand } from '../demand.js'
import type { DType } from '../dtype.js'
import type { GraphError } from '../errors.js'
import type { Node } from '../node.js'
import { nearest } from '../report.js'
import { compareSizes, isWhole, known, literal, minus, quotient, scale, type Size, surelyNegative, surelyNonNegative } from '../size.js'
import { type AnyTensor, type Axis, axisNames, axisOf, tensor } from '../tensor.js'

export type Fault = GraphError extends infer E ? (E extends GraphError ? Omit<E, 'at'> : never) : never
export type Need = Demand extends infer D ? (D extends Demand ? Omit<D, 'at'> : never) : never

/** The tensor, or, where something is wrong, a bad one with the same axes, made of the same operands. */
export const checked = (
  faults: readonly Fault[],
  needs: readonly Need[],
  operands: readonly AnyTensor[],
  dtype: DType,
  axes: readonly Axis[],
  node: () => Node,
): AnyTensor => {
  if (faults.length === 0 && needs.length === 0) return tensor(dtype, axes, node())
  const at = userCallSite()
  return faults.length === 0
    ? tensor(
        dtype,
        axes,
        node(),
        needs.map((need): Demand => ({ ...need, at })),
      )
    : tensor(dtype, axes, { tag: 'invalid', errors: faults.map((fault): GraphError => ({ ...fault, at })), operands })
}

export interface Findings {
  readonly faults: readonly Fault[]
  readonly needs: readonly Need[]
}

export const nothing: Findings = { faults: [], needs: [] }

export const both = (...all: readonly Findings[]): Findings => ({
  faults: all.flatMap(({ faults }) => faults),
  needs: all.flatMap(({ needs }) => needs),
})

/** Checks of which each makes sense only where those before it found no fault: one mistake is one report. */
export const inTurn = (...checks: readonly (() => Findings)[]): Findings => {
  let all = nothing
  for (const check of checks) {
    if (all.faults.length > 0) return all
    all = both(all, check())
  }
  return all
}

export const fault = (f: Fault | undefined): Findings => (f === undefined ? nothing : { faults: [f], needs: [] })

export const sameSize = (op: string, axis: string, left: Size, right: Size): Findings => {
  switch (compareSizes(left, right)) {
    case 'equal':
      return nothing
    case 'different':
      return fault({ tag: 'sizesDiffer', op, axis, left, right })
    case 'undecided':
      return { faults: [], needs: [{ tag: 'sizesEqual', op, axis, left, right }] }
  }
}

export const atLeast = (op: string, axis: string, size: Size, least: Size): Findings => {
  const spare = minus(size, least)
  if (surelyNonNegative(spare)) return nothing
  return surelyNegative(spare)
    ? fault({ tag: 'sizeTooSmall', op, axis, size, least })
    : { faults: [], needs: [{ tag: 'sizeAtLeast', op, axis, size, least }] }
}

/** A size that is asked for must be a whole number and not negative. */
export const sizeOfAxis = (op: string, axis: string, size: Size): Findings =>
  isWhole(size) ? atLeast(op, axis, size, literal(0)) : fault({ tag: 'badSize', op, axis, size })

/** The names that a list has more than once, each once. */
export const namedTwice = (names: readonly string[]): readonly string[] => [
  ...new Set(names.filter((name, i) => names.indexOf(name) !== i)),
]

/** New axes: each named once, each of a size that can be. */
export const newAxes = (op: string, axes: readonly Axis[]): Findings => {
  const names = axes.map(({ name }) => name)
  return both(
    ...axes.map(({ name, size }) => sizeOfAxis(op, name, size)),
    ...namedTwice(names).map((axis) => fault({ tag: 'axisTwice', op, axis })),
  )
}

/** The whole number `by` must divide the size. */
export const divides = (op: string, axis: string, size: Size, by: number): Findings => {
  const rest = known(minus(size, scale(quotient(size, by), by)))
  if (rest === 0) return nothing
  return rest === undefined
    ? { faults: [], needs: [{ tag: 'sizeDivides', op, axis, size, by }] }
    : fault({ tag: 'doesNotDivide', op, axis, size, by })
}

/** The axes that both have must have the same sizes. */
export const sharedSizes = (op: string, x: AnyTensor, y: AnyTensor): Findings =>
  both(
    ...x.axes.map(({ name, size }) => {
      const other = axisOf(y, name)
      return other === undefined ? nothing : sameSize(op, name, size, other.size)
    }),
  )

/** The axes that are meant where `names` are given: misspelt ones by their nearest name, so that what follows is still checked. */
export const resolve = (
  op: string,
  x: AnyTensor,
  names: readonly string[],
): { readonly over: readonly string[]; readonly found: Findings } => {
  const has = axisNames(x)
  const missing = [...new Set(names)].filter((name) => !has.includes(name))
  return {
    over: names.flatMap((name) => (has.includes(name) ? [name] : (nearest(name, has) ?? []))),
    found: both(
      ...missing.map((axis) => fault({ tag: 'noSuchAxis', op, axis, has })),
      ...namedTwice(names).map((axis) => fault({ tag: 'axisTwice', op, axis })),
    ),
  }
}

export const without = (axes: readonly Axis[], names: readonly string[]): readonly Axis[] =>
  axes.filter(({ name }) => !names.includes(name))
