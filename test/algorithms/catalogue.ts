import fc from 'fast-check'
import { catalogue, type LossName } from '../../algorithms/index.js'
import type { AnySpec, Loss, Value } from '../../dsl/index.js'
import { between } from './batches.js'

export const names = Object.keys(catalogue) as readonly LossName[]

/** Specs, values and gradients of a loss, each by its path: `chosen.logProbs`. */
export type ByPath<X> = Readonly<Record<string, X>>

type Inputs = ByPath<AnySpec>

const isSpec = (tree: unknown): tree is AnySpec => typeof tree === 'object' && tree !== null && 'spec' in tree

/** The leaves of a tree of specs, values or tensors by their paths. */
export const flat = (tree: unknown, path = ''): ByPath<unknown> =>
  isSpec(tree) || (typeof tree === 'object' && tree !== null && ('data' in tree || 'node' in tree))
    ? { [path]: tree }
    : Object.fromEntries(
        Object.entries(tree as object).flatMap(([key, child]) => Object.entries(flat(child, path === '' ? key : `${path}.${key}`))),
      )

/** The tree that has these leaves. */
export const nest = (values: ByPath<unknown>): object =>
  Object.entries(values).reduce<Record<string, Record<string, unknown>>>((tree, [path, value]) => {
    const [first = '', second] = path.split('.')
    return second === undefined ? { ...tree, [first]: value as never } : { ...tree, [first]: { ...tree[first], [second]: value } }
  }, {})

export const inputsOf = ({ inputs }: Loss<unknown>): Inputs => flat(inputs) as Inputs

const axesOf = (spec: AnySpec): readonly string[] => spec.axes.map(({ name }) => name)

/** The mask that says which of an input's places count: the one beside it. */
export const maskOf = (path: string): string => path.replace(/[^.]+$/, 'responseMask')

/** Where the values of an input lie, by the last word of its path. */
const elements: ByPath<fc.Arbitrary<number>> = {
  logProbs: between(-3, -0.01),
  oldLogProbs: between(-3, -0.01),
  refLogProbs: between(-3, -0.01),
  rolloutLogProbs: between(-3, -0.01),
  entropies: between(0, 2),
  weights: between(0.1, 2),
  spanTurn: fc.integer({ min: -1, max: 1 }),
  group: fc.integer({ min: 0, max: 1 }),
  key: fc.nat(1000),
}

const lastWord = (path: string): string => path.split('.').at(-1)!

const elementOf = (path: string, { dtype }: AnySpec): fc.Arbitrary<number> =>
  elements[lastWord(path)] ?? (dtype === 'bool' ? fc.constantFrom(0, 1, 1) : between(-3, 3))

export interface Batch {
  readonly values: ByPath<Value>
  readonly batch: number
  readonly time: number
}

const fixed: ByPath<number> = { vocab: 3, turn: 2, word: 2 }

/** Batches of a loss: some rows may have no token, and a few have none at all. */
export const anyBatchOf = (loss: Loss<unknown>): fc.Arbitrary<Batch> =>
  fc.record({ batch: fc.integer({ min: 1, max: 4 }), time: fc.integer({ min: 1, max: 4 }) }).chain((shape) => {
    const sizes: ByPath<number> = { ...fixed, ...shape }
    const values = Object.entries(inputsOf(loss)).map(([path, spec]) => {
      const own = axesOf(spec).map((axis) => sizes[axis]!)
      const count = own.reduce((x, y) => x * y, 1)
      return [
        path,
        // A group is counted from 0 to less than the rows that there are.
        fc
          .array(elementOf(path, spec), { minLength: count, maxLength: count })
          .map((data) => ({ sizes: own, data: lastWord(path) === 'group' ? data.map((g) => Math.min(g, shape.batch - 1)) : data })),
      ] as const
    })
    return fc.record({ values: fc.record(Object.fromEntries(values)), batch: fc.constant(shape.batch), time: fc.constant(shape.time) })
  })

/** A change of the values of each input, given its spec. */
const mapValues = (loss: Loss<unknown>, { values, ...shape }: Batch, f: (value: Value, spec: AnySpec, path: string) => Value): Batch => {
  const specs = inputsOf(loss)
  return { ...shape, values: Object.fromEntries(Object.entries(values).map(([path, value]) => [path, f(value, specs[path]!, path)])) }
}

/** Slices of an array of these sizes along one of its dimensions, chosen and put in order by `places`; −1 is a slice of `filler`. */
export const takeAlong = ({ sizes, data }: Value, dimension: number, places: readonly number[], filler = 0): Value => {
  const inner = sizes.slice(dimension + 1).reduce((x, y) => x * y, 1)
  const outer = sizes.slice(0, dimension).reduce((x, y) => x * y, 1)
  const own = sizes[dimension]!
  const slice = (o: number, place: number): readonly number[] =>
    place < 0 ? Array<number>(inner).fill(filler) : [...data].slice((o * own + place) * inner, (o * own + place + 1) * inner)
  return {
    sizes: sizes.map((n, i) => (i === dimension ? places.length : n)),
    data: Array.from({ length: outer }, (_, o) => places.flatMap((place) => slice(o, place))).flat(),
  }
}

/** The rows at some places, in that order. */
export const rowsAt = (loss: Loss<unknown>, batch: Batch, places: readonly number[]): Batch => ({
  ...mapValues(loss, batch, (value, spec) => {
    const dimension = axesOf(spec).indexOf('batch')
    return dimension < 0 ? value : takeAlong(value, dimension, places)
  }),
  batch: places.length,
})

const fillers = { bool: 0, i32: -1, u32: 0 } as const

/** The batch with places before and behind, outside the masks, that hold `filler`. */
export const padded = (loss: Loss<unknown>, batch: Batch, before: number, behind: number, filler: number): Batch => {
  const places = [...Array<number>(before).fill(-1), ...Array(batch.time).keys(), ...Array<number>(behind).fill(-1)]
  return {
    ...mapValues(loss, batch, (value, spec) => {
      const dimension = axesOf(spec).indexOf('time')
      return dimension < 0 ? value : takeAlong(value, dimension, places, spec.dtype === 'f32' ? filler : fillers[spec.dtype])
    }),
    time: places.length,
  }
}

/** Whether each element of a value over tokens lies inside the mask beside it, the elements of further axes with their token. */
export const insideMask = ({ values }: Batch, path: string): readonly boolean[] => {
  const mask = [...values[maskOf(path)]!.data]
  const each = values[path]!.data.length / mask.length
  return mask.flatMap((m) => Array<boolean>(each).fill(m === 1))
}

const isOfTokens = (spec: AnySpec): boolean => spec.dtype === 'f32' && axesOf(spec).includes('time')

export const tokenPaths = (loss: Loss<unknown>): readonly string[] =>
  Object.entries(inputsOf(loss)).flatMap(([path, spec]) => (isOfTokens(spec) ? [path] : []))

/** What tokens outside the masks hold, replaced over and over. */
export const soiled = (loss: Loss<unknown>, batch: Batch, junk: readonly number[]): Batch =>
  mapValues(loss, batch, (value, spec, path) => {
    if (!isOfTokens(spec)) return value
    const inside = insideMask(batch, path)
    return { ...value, data: [...value.data].map((x, i) => (inside[i]! ? x : junk[i % junk.length]!)) }
  })

export const withoutTokens = (loss: Loss<unknown>, batch: Batch): Batch =>
  mapValues(loss, batch, (value, _, path) => (lastWord(path) === 'responseMask' ? { ...value, data: [...value.data].map(() => 0) } : value))

/** The batch with an input replaced, element by element, by its place. */
export const withInput = (loss: Loss<unknown>, batch: Batch, name: string, f: (i: number) => number): Batch =>
  mapValues(loss, batch, (value, _, path) => (lastWord(path) === name ? { ...value, data: [...value.data].map((_x, i) => f(i)) } : value))
