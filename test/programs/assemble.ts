import { type AnyTensor, type Axis, givenLeaves, type Program, program, sizes, type Value } from '../../dsl/index.js'
import { gather, scatterAdd } from './indexing.js'
import type { Known } from './known.js'
import { broadcast, pad, rename, slice, stopGradient } from './movement.js'
import { binary, cast, compare, logic, select, unary } from './pointwise.js'
import type { Kind, Recipe, RecipeSettings } from './recipe.js'
import { contract, max, sum } from './reduction.js'
import { constant, extent, input, iota } from './sources.js'
import { valueWithin } from './values.js'
import { type Declared, type Workshop, workshopOf } from './workshop.js'

const rules: { readonly [K in Kind]: (w: Workshop) => Known } = {
  input,
  constant,
  iota,
  extent,
  unary,
  binary,
  compare,
  logic,
  select,
  cast,
  broadcast,
  sum,
  max,
  contract,
  gather,
  scatterAdd,
  slice,
  pad,
  rename,
  stopGradient,
}

export interface Assembled {
  readonly program: Program<unknown, unknown, Readonly<Record<string, AnyTensor>>>
  /** A value for each declared input: `inputs.x0`. */
  readonly inputs: Readonly<Record<string, Value>>
  /** What is known of each output's elements. */
  readonly outputs: Readonly<Record<string, Known>>
}

const named = <T>(prefix: string, list: readonly T[]): Readonly<Record<string, T>> =>
  Object.fromEntries(list.map((item, i) => [`${prefix}${String(i)}`, item]))

/** A program asks for what it binds: each open axis is some input's, so that its size is known. */
const binding = (axes: readonly Axis[], declared: readonly Declared[]): readonly Declared[] =>
  axes
    .filter(({ name, size }) => sizes.known(size) === undefined && !declared.some(({ spec }) => spec.axes.some((a) => a.name === name)))
    .map((axis) => ({ spec: { spec: 'tensor', dtype: 'f32', axes: [axis] }, range: { low: -1, high: 1, grid: 3 } }))

/** Follow a recipe. */
export const assemble = (recipe: Recipe, settings: RecipeSettings = {}): Assembled => {
  const made: Known[] = []
  const declared: Declared[] = []
  const workshop = workshopOf(recipe, settings, made, declared)
  let axes: readonly Axis[] = []
  for (const step of recipe.steps) {
    const w = workshop(step)
    axes = w.axes
    made.push(rules[step.kind](w))
  }
  const all = [...declared, ...binding(axes, declared)]
  const chosen = new Set([made.length - 1, ...recipe.outputs.map((back) => made.length - 1 - (back % made.length))])
  const outputs = named(
    'y',
    [...chosen].map((i) => made[i]!),
  )
  const inputs = named(
    'x',
    all.map(({ spec }) => spec),
  )
  const built = program({
    inputs,
    body: () => ({ outputs: Object.fromEntries(Object.entries(outputs).map(([path, { x }]) => [path, x])) }),
  })
  const bound = new Map(recipe.axes.map(({ name, size }) => [name, size]))
  const values = givenLeaves(built).map(({ value: spec }, i) => {
    const own = spec.axes.map(({ size }) => sizes.evaluateSize(size, bound)!)
    return valueWithin(all[i]!.range, own, recipe.seed, i)
  })
  return { program: built, inputs: named('x', values), outputs }
}
