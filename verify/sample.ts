import fc from 'fast-check'
import { type AnySpec, countOf, type DType, type Leaf, type Requirements, sizes as algebra, type Value } from '../dsl/index.js'
import { inputName } from './flow.js'
import type { Sizes } from './sizes.js'

/** Values for a loss's inputs, by path, and the seed of the directions in which it is differentiated. */
export interface Sample {
  readonly values: ReadonlyMap<string, Value>
  readonly seed: number
}

/** Where the values of an input lie, by its name. */
export type Ranges = Readonly<Record<string, readonly [low: number, high: number]>>

/** Multiples of 1/64 that shrink to the one nearest 0: counterexamples are to be read. */
const between = (low: number, high: number): fc.Arbitrary<number> => {
  const [from, to] = [Math.ceil(low * 64), Math.floor(high * 64)]
  const countable = from <= to && from > -(2 ** 31) && to < 2 ** 31
  return countable ? fc.integer({ min: from, max: to }).map((n) => n / 64) : fc.double({ min: low, max: high, noNaN: true })
}

/** Numbers of either sign; negative ones, like log-probabilities; few values, so that there are ties. */
const floats: readonly fc.Arbitrary<number>[] = [between(-2, 2), between(-5, 0), fc.constantFrom(0, 1, -1, 0.5)]

const ties = (low: number, high: number): fc.Arbitrary<number> => fc.constantFrom(low, high, (low + high) / 2)

const bools: readonly fc.Arbitrary<number>[] = [fc.constantFrom(0, 1), fc.constant(1), fc.constant(0)]

const whole: { readonly [D in DType]: readonly [number, number] } = { f32: [0, 0], bool: [0, 1], i32: [-3, 5], u32: [0, 5] }

/** The last place that an input may point to; ∞ where it points nowhere. */
export const idLimit = ({ path }: Leaf<AnySpec>, sizes: Sizes, { ids }: Requirements): number =>
  Math.min(...ids.filter((bound) => bound.path === path).map(({ size }) => algebra.evaluateSize(size, sizes)! - 1))

/** The elements that an input may have, in one or several manners; those of one sample share a manner. */
const elements = (leaf: Leaf<AnySpec>, sizes: Sizes, requirements: Requirements, ranges: Ranges): readonly fc.Arbitrary<number>[] => {
  const { dtype } = leaf.value
  const range = ranges[inputName(leaf.path)]
  if (dtype === 'bool') return bools
  if (dtype === 'f32') return range === undefined ? floats : [between(...range), ties(...range)]
  const limit = idLimit(leaf, sizes, requirements)
  const [low, high] = range ?? (Number.isFinite(limit) ? [0, limit] : whole[dtype])
  return [fc.integer({ min: low, max: Math.max(low, high) })]
}

const valueOf = (leaf: Leaf<AnySpec>, sizes: Sizes, requirements: Requirements, ranges: Ranges): fc.Arbitrary<Value> => {
  const own = leaf.value.axes.map(({ size }) => algebra.evaluateSize(size, sizes)!)
  const count = countOf(own)
  return fc
    .oneof(...elements(leaf, sizes, requirements, ranges).map((element) => fc.array(element, { minLength: count, maxLength: count })))
    .map((data) => ({ sizes: own, data }))
}

/** Values that a program can be run with. */
export const samples = (requirements: Requirements, fit: readonly Sizes[], ranges: Ranges): fc.Arbitrary<Sample> =>
  fc.constantFrom(...fit).chain((sizes) =>
    fc.record({
      values: fc
        .tuple(...requirements.givens.map((leaf) => valueOf(leaf, sizes, requirements, ranges).map((value) => [leaf.path, value] as const)))
        .map((entries) => new Map(entries)),
      seed: fc.nat(1 << 20),
    }),
  )
