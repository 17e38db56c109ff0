import fc from 'fast-check'
import { type AnySpec, countOf, type DType, type Leaf, type Requirements, sizes as algebra, type Value } from '../dsl/index.js'
import { type Elements, each, ids, inOneOf, logProbs, masks, numbers, tensors, ties } from './arbitraries.js'
import { inputName } from './flow.js'
import type { Sizes } from './sizes.js'

/** Values for a loss's inputs, by path, and the seed of the directions in which it is differentiated. */
export interface Sample {
  readonly values: ReadonlyMap<string, Value>
  readonly seed: number
}

/** Where the values of an input lie, by its name; or how they are drawn. */
export type Ranges = Readonly<Record<string, readonly [low: number, high: number] | Elements>>

/** Numbers of either sign; negative ones, as log-probabilities are; few values, so that there are ties. */
const floats: Elements = inOneOf(numbers(-2, 2), logProbs, each(fc.constantFrom(0, 1, -1, 0.5)))

const whole = (low: number, high: number): Elements => each(fc.integer({ min: low, max: Math.max(low, high) }))

const between: { readonly [D in DType]: (low: number, high: number) => Elements } = {
  f32: (low, high) => inOneOf(numbers(low, high), ties(low, high)),
  i32: whole,
  u32: whole,
  bool: () => masks,
}

const anything: { readonly [D in DType]: Elements } = { f32: floats, i32: whole(-3, 5), u32: whole(0, 5), bool: masks }

/** The last place that an input may point to; ∞ where it points nowhere. */
export const idLimit = ({ path }: Leaf<AnySpec>, sizes: Sizes, { ids: pointing }: Requirements): number =>
  Math.min(...pointing.filter((bound) => bound.path === path).map(({ size }) => algebra.evaluateSize(size, sizes)! - 1))

/** The elements that a leaf of these sizes may have, if its user says nothing of how they are drawn. */
const elementsOf = (leaf: Leaf<AnySpec>, limit: number, range: readonly [number, number] | undefined): Elements => {
  const { dtype } = leaf.value
  if (range !== undefined) return between[dtype](...range)
  return Number.isFinite(limit) ? ids(limit + 1) : anything[dtype]
}

const sizesOf = ({ value: { axes } }: Leaf<AnySpec>, sizes: Sizes): readonly number[] =>
  axes.map(({ size }) => algebra.evaluateSize(size, sizes)!)

/** The elements at the first places along each axis. */
const leading = ({ sizes: [n, ...inner], data }: Value, [size, ...rest]: readonly number[]): readonly number[] => {
  if (n === undefined || size === undefined) return Array.from(data)
  const stride = countOf(inner)
  return Array.from({ length: size }, (_, i) => leading({ sizes: inner, data: data.slice(i * stride, (i + 1) * stride) }, rest)).flat()
}

/** What is drawn of a leaf: a value for given sizes. */
type Drawn = readonly [path: string, value: (sizes: Sizes) => Value]

/** Values that a program can be run with. Elements are drawn for the greatest sizes and cut, so that sizes shrink and leave them as they are. */
export const samples = (requirements: Requirements, fit: readonly Sizes[], ranges: Ranges): fc.Arbitrary<Sample> => {
  const drawn = (leaf: Leaf<AnySpec>, range: readonly [number, number] | undefined): fc.Arbitrary<Drawn> => {
    const greatest = leaf.value.axes.map((_, i) => Math.max(...fit.map((sizes) => sizesOf(leaf, sizes)[i]!)))
    const limits = fit.map((sizes) => idLimit(leaf, sizes, requirements))
    return tensors(elementsOf(leaf, Math.max(...limits), range))(greatest).map((whole): Drawn => [
      leaf.path,
      (sizes) => {
        const [own, limit] = [sizesOf(leaf, sizes), idLimit(leaf, sizes, requirements)]
        return { sizes: own, data: leading(whole, own).map((x) => Math.min(x, limit)) }
      },
    ])
  }
  /** What the user draws is whole at its own sizes: a row of probabilities cut short would be none. */
  const own = (leaf: Leaf<AnySpec>, sizes: Sizes, elements: Elements): fc.Arbitrary<Drawn> =>
    tensors(elements)(sizesOf(leaf, sizes)).map((value): Drawn => [leaf.path, () => value])
  const all = requirements.givens.map((leaf) => ({ leaf, range: ranges[inputName(leaf.path)] }))
  const ours = all.flatMap(({ leaf, range }) => (typeof range === 'function' ? [] : [drawn(leaf, range)]))
  const theirs = all.flatMap(({ leaf, range }) => (typeof range === 'function' ? [{ leaf, elements: range }] : []))
  return fc
    .record({ sizes: fc.nat(fit.length - 1).map((i) => fit[i]!), ours: fc.tuple(...ours), seed: fc.nat(1 << 20) })
    .chain(({ sizes, ours: made, seed }) =>
      fc.tuple(...theirs.map(({ leaf, elements }) => own(leaf, sizes, elements))).map((given): Sample => {
        const values = new Map([...made, ...given].map(([path, value]) => [path, value(sizes)]))
        return { values: new Map(requirements.givens.map(({ path }) => [path, values.get(path)!])), seed }
      }),
    )
}
