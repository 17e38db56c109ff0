import * as E from 'fp-ts/lib/Either.js'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import type { BindError } from './bind-error.js'
import type { Demand } from './demand.js'
import { type DType, holds } from './dtype.js'
import type { Node } from './node.js'
import { demandsOf, givenLeaves, type Program, rootsOf } from './program.js'
import { asVariable, evaluateSize, type Size } from './size.js'
import type { AnySpec } from './spec.js'
import { type AnyTensor, axisOf } from './tensor.js'
import type { Leaf } from './tree.js'
import { type Count, countsOf, tooLargeAt } from './too-large.js'
import { asValue, countOf, type Given, hasData, type HostData } from './value.js'
import { topological } from './walk.js'

/** Ids that a program is given and points with: each must lie in [0, size). */
export interface IdBound {
  readonly path: string
  readonly axis: string
  readonly size: Size
}

/** What a program asks of the values it is run with. */
export interface Requirements {
  readonly givens: readonly Leaf<AnySpec>[]
  readonly demands: readonly Demand[]
  readonly counts: readonly Count[]
  readonly ids: readonly IdBound[]
}

/** The values that fit, by path, and the size of every open axis. */
export interface Bound {
  readonly sizes: ReadonlyMap<string, number>
  readonly values: ReadonlyMap<string, Exclude<Given, number>>
}

/** What passes its operand's elements on as they are. */
const passing: ReadonlySet<Node['tag']> = new Set(['broadcast', 'rename', 'stopGradient', 'custom', 'checkpoint', 'barrier'] as const)

/** The input that a tensor is, but for the order and the names of its axes and a choice among its elements. */
const sourceOf = (x: AnyTensor): string | undefined => {
  let at = x
  while (passing.has(at.node.tag) && 'x' in at.node) at = at.node.x
  return at.node.tag === 'input' ? at.node.path : undefined
}

const idBounds = (order: readonly AnyTensor[]): readonly IdBound[] =>
  order.flatMap((y) => {
    const { node } = y
    if (node.tag !== 'gather' && node.tag !== 'scatterAdd' && node.tag !== 'scatterSet') return []
    const path = sourceOf(node.ids)
    const axis = axisOf(node.tag === 'gather' ? node.x : y, node.axis)
    return path === undefined || axis === undefined ? [] : [{ path, axis: axis.name, size: axis.size }]
  })

export const requirementsOf = (p: Program<unknown, unknown, unknown>): Requirements => ({
  givens: givenLeaves(p),
  demands: demandsOf(p),
  counts: countsOf(p),
  ids: idBounds(topological(rootsOf(p))),
})

const bindVariables = (
  givens: readonly Leaf<AnySpec>[],
  values: ReadonlyMap<string, Exclude<Given, number>>,
): { readonly sizes: ReadonlyMap<string, number>; readonly errors: readonly BindError[] } => {
  const sizes = new Map<string, number>()
  const boundBy = new Map<string, string>()
  const errors: BindError[] = []
  for (const { path, value: spec } of givens)
    spec.axes.forEach(({ name, size }, i) => {
      const variable = asVariable(size)
      const given = values.get(path)?.sizes[i]
      if (variable === undefined || given === undefined) return
      const earlier = sizes.get(variable)
      if (earlier === undefined) {
        sizes.set(variable, given)
        boundBy.set(variable, path)
      } else if (earlier !== given)
        errors.push({
          tag: 'axisBoundTwice',
          axis: name,
          first: { path: boundBy.get(variable) ?? '', size: earlier },
          second: { path, size: given },
        })
    })
  return { sizes, errors }
}

const shapeErrors = ({ path, value: spec }: Leaf<AnySpec>, value: Exclude<Given, number> | undefined): readonly BindError[] => {
  const axes = spec.axes.map(({ name }) => name)
  if (value === undefined) return [{ tag: 'unbound', path, axes, dtype: spec.dtype }]
  if ('data' in value && !hasData(value)) return [{ tag: 'notNumbers', path, dtype: spec.dtype }]
  if (value.sizes.length !== axes.length) return [{ tag: 'wrongRank', path, axes, sizes: value.sizes }]
  if (value.sizes.some((size) => !Number.isSafeInteger(size) || size < 0)) return [{ tag: 'badSizes', path, sizes: value.sizes }]
  const length = countOf(value.sizes)
  if (!hasData(value)) return []
  return value.data.length === length
    ? numberErrors(path, spec.dtype, value.data)
    : [{ tag: 'wrongLength', path, axes, sizes: value.sizes, length: value.data.length }]
}

/** The first number that the type does not hold; those of an array of the type's own are not looked at. */
const numberErrors = (path: string, dtype: DType, data: HostData): readonly BindError[] => {
  const own = dtype === 'f32' || (dtype === 'i32' && data instanceof Int32Array) || (dtype === 'u32' && data instanceof Uint32Array)
  const place = own ? -1 : data.findIndex((x) => !holds[dtype](x))
  return place < 0 ? [] : [{ tag: 'wrongNumber', path, dtype, value: data[place]!, place }]
}

const fixedSizeErrors = (
  { path, value: spec }: Leaf<AnySpec>,
  value: Exclude<Given, number> | undefined,
  sizes: ReadonlyMap<string, number>,
): readonly BindError[] =>
  spec.axes.flatMap(({ name, size }, i): readonly BindError[] => {
    const [given, expected] = [value?.sizes[i], evaluateSize(size, sizes)]
    if (given === undefined || asVariable(size) !== undefined || expected === given) return []
    return [{ tag: 'wrongSize', path, axis: name, declared: size, given }]
  })

const demandErrors = (demand: Demand, sizes: ReadonlyMap<string, number>): readonly BindError[] => {
  const value = (size: Size): number | undefined => evaluateSize(size, sizes)
  switch (demand.tag) {
    case 'sizesEqual': {
      const [left, right] = [value(demand.left), value(demand.right)]
      return left === undefined || right === undefined || left === right ? [] : [{ tag: 'sizesUnequal', demand, left, right }]
    }
    case 'sizeDivides': {
      const size = value(demand.size)
      return size === undefined || size % demand.by === 0 ? [] : [{ tag: 'doesNotDivideOnceBound', demand, size }]
    }
    case 'sizeAtLeast': {
      const [size, least] = [value(demand.size), value(demand.least)]
      return size === undefined || least === undefined || size >= least ? [] : [{ tag: 'sizeTooSmallOnceBound', demand, size, least }]
    }
  }
}

const idErrors = (
  { path, axis, size }: IdBound,
  values: ReadonlyMap<string, Exclude<Given, number>>,
  sizes: ReadonlyMap<string, number>,
): readonly BindError[] => {
  const [value, limit] = [values.get(path), evaluateSize(size, sizes)]
  if (value === undefined || limit === undefined || !hasData(value)) return []
  const place = value.data.findIndex((id) => Number.isInteger(id) && !(id >= 0 && id < limit))
  return place < 0 ? [] : [{ tag: 'idOutOfRange', path, axis, id: value.data[place] ?? NaN, place, limit }]
}

const distinct = (bounds: readonly IdBound[]): readonly IdBound[] =>
  bounds.filter(({ path, size }, i) => bounds.findIndex((other) => other.path === path && other.size.text === size.text) === i)

/** Fit values to what a program asks for: every open size bound, every demand met, every id in range; or all that is wrong. */
export const bind = (
  { givens, demands, counts, ids }: Requirements,
  given: readonly Leaf<Given>[],
): E.Either<NonEmptyArray<BindError>, Bound> => {
  const values = new Map(given.map(({ path, value }) => [path, asValue(value)]))
  const { sizes, errors } = bindVariables(givens, values)
  const declared = givens.map(({ path }) => path)
  const isDeclared = new Set(declared)
  const [first, ...rest]: readonly BindError[] = [
    ...given.flatMap(({ path }): readonly BindError[] => (isDeclared.has(path) ? [] : [{ tag: 'notDeclared', path, declared }])),
    ...givens.flatMap((leaf) => shapeErrors(leaf, values.get(leaf.path))),
    ...errors,
    ...givens.flatMap((leaf) => fixedSizeErrors(leaf, values.get(leaf.path), sizes)),
    ...demands.flatMap((demand) => demandErrors(demand, sizes)),
    ...tooLargeAt(counts, sizes),
    ...distinct(ids).flatMap((bound) => idErrors(bound, values, sizes)),
  ]
  return first === undefined ? E.right({ sizes, values }) : E.left([first, ...rest])
}

const withoutData = (
  values: ReadonlyMap<string, Exclude<Given, number>>,
  { path, value: { axes, dtype } }: Leaf<AnySpec>,
): readonly BindError[] => {
  const value = values.get(path)
  return value !== undefined && hasData(value) ? [] : [{ tag: 'unbound', path, axes: axes.map(({ name }) => name), dtype }]
}

/** As `bind`, where every value must be one of the host. */
export const bindValues = (requirements: Requirements, given: readonly Leaf<Given>[]): E.Either<NonEmptyArray<BindError>, Bound> =>
  E.flatMap((bound: Bound): E.Either<NonEmptyArray<BindError>, Bound> => {
    const [first, ...rest] = requirements.givens.flatMap((leaf) => withoutData(bound.values, leaf))
    return first === undefined ? E.right(bound) : E.left([first, ...rest])
  })(bind(requirements, given))
