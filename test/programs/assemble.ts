import { type AnySpec, type AnyTensor, type Axis, type Program, program, sizes, type Value } from '../../dsl/index.js'
import { barrier, checkpoint, custom } from './control.js'
import { gather, scatterAdd, scatterSet } from './indexing.js'
import type { Known } from './known.js'
import { broadcast, concat, flip, merge, pad, rename, slice, split, stopGradient } from './movement.js'
import { binary, bits, cast, chance, compare, logic, select, unary } from './pointwise.js'
import type { Kind, Recipe, RecipeSettings } from './recipe.js'
import type { Range } from './range.js'
import { recurrence } from './recurrence.js'
import { contract, max, min, place, sort, sum } from './reduction.js'
import { constant, extent, input, iota } from './sources.js'
import { declareState, isRead, nextOf, type State } from './state.js'
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
  bits,
  chance,
  broadcast,
  sum,
  max,
  min,
  place,
  sort,
  contract,
  recurrence,
  gather,
  scatterAdd,
  scatterSet,
  slice,
  pad,
  flip,
  concat,
  split,
  merge,
  rename,
  stopGradient,
  custom,
  checkpoint,
  barrier,
}

export interface Assembled {
  readonly program: Program<unknown, unknown, Readonly<Record<string, AnyTensor>>>
  /** A value for each declared input: `inputs.x0`. */
  readonly inputs: Readonly<Record<string, Value>>
  /** Where the elements of each input are to lie. */
  readonly ranges: Readonly<Record<string, Range>>
  /** A value for each declared state: `state.s0`. */
  readonly state: Readonly<Record<string, Value>>
  /** What is known of each output's elements. */
  readonly outputs: Readonly<Record<string, Known>>
  /** What is known of the elements of each state's new value. */
  readonly nextState: Readonly<Record<string, Known>>
}

const named = <T>(prefix: string, list: readonly T[]): Readonly<Record<string, T>> =>
  Object.fromEntries(list.map((item, i) => [`${prefix}${String(i)}`, item]))

const tensorsOf = (known: Readonly<Record<string, Known>>): Readonly<Record<string, AnyTensor>> =>
  Object.fromEntries(Object.entries(known).map(([name, { x }]) => [name, x]))

/** A program asks for what it binds: each open axis is that of some input or state, so that its size is known. */
const binding = (axes: readonly Axis[], declared: readonly Declared[]): readonly Declared[] =>
  axes
    .filter(({ name, size }) => sizes.known(size) === undefined && !declared.some(({ spec }) => spec.axes.some((a) => a.name === name)))
    .map((axis) => ({ spec: { spec: 'tensor', dtype: 'f32', axes: [axis] }, range: { low: -1, high: 1, grid: 3 } }))

/** Follow a recipe. */
export const assemble = (recipe: Recipe, settings: RecipeSettings = {}): Assembled => {
  const made: Known[] = []
  const declared: Declared[] = []
  const workshop = workshopOf(recipe, settings, made, declared)
  const states = recipe.states.reduce<readonly State[]>((all, own) => [...all, declareState(workshop(own), own, all)], [])
  const nexts = new Map<State, Known>()
  made.push(...states.filter(isRead).map(({ old }) => old))
  let axes: readonly Axis[] = []
  for (const [i, step] of recipe.steps.entries()) {
    for (const state of states.filter((s) => s.recipe.at % recipe.steps.length === i)) {
      const next = nextOf(workshop(state.recipe), state, states)
      nexts.set(state, next)
      made.push(next)
    }
    const w = workshop(step)
    axes = w.axes
    made.push(rules[step.kind](w))
  }
  const inputs = [...declared, ...binding(axes, [...declared, ...states])]
  const chosen = new Set([made.length - 1, ...recipe.outputs.map((back) => made.length - 1 - (back % made.length))])
  const outputs = named(
    'y',
    [...chosen].map((i) => made[i]!),
  )
  const nextState = named(
    's',
    states.map((state) => nexts.get(state)!),
  )
  const specs = (list: readonly Declared[]): readonly AnySpec[] => list.map(({ spec }) => spec)
  const built = program({
    inputs: named('x', specs(inputs)),
    state: named('s', specs(states)),
    body: () => ({ outputs: tensorsOf(outputs), state: tensorsOf(nextState) }),
  })
  const bound = new Map(recipe.axes.map(({ name, size }) => [name, size]))
  const valueFor = ({ spec, range }: Declared, stream: number): Value =>
    valueWithin(
      range,
      spec.axes.map(({ size }) => sizes.evaluateSize(size, bound)!),
      recipe.seed,
      stream,
    )
  return {
    program: built,
    inputs: named('x', inputs.map(valueFor)),
    ranges: named(
      'x',
      inputs.map(({ range }) => range),
    ),
    state: named(
      's',
      states.map((state, i) => valueFor(state, inputs.length + i)),
    ),
    outputs,
    nextState,
  }
}
