import fc from 'fast-check'

/** The ways in which a step makes a tensor of those made before it. */
export const kinds = [
  'input',
  'unary',
  'binary',
  'sum',
  'select',
  'contract',
  'recurrence',
  'compare',
  'logic',
  'cast',
  'bits',
  'chance',
  'max',
  'min',
  'place',
  'sort',
  'gather',
  'scatterAdd',
  'scatterSet',
  'slice',
  'pad',
  'flip',
  'concat',
  'split',
  'merge',
  'broadcast',
  'rename',
  'stopGradient',
  'custom',
  'checkpoint',
  'barrier',
  'constant',
  'iota',
  'extent',
] as const

export type Kind = (typeof kinds)[number]

/** One step: its operands by how long ago they were made, and dice for whatever else there is to decide. */
export interface Step {
  readonly kind: Kind
  readonly operands: readonly [number, number, number]
  readonly dice: readonly [number, number, number]
}

export interface RecipeAxis {
  readonly name: string
  readonly size: number
  /** Whether the program leaves the size to its inputs. */
  readonly open: boolean
}

/** What replaces a state. */
export const nexts = ['updated', 'made', 'replaced', 'swapped', 'shifted', 'kept'] as const

export type Next = (typeof nexts)[number]

/** A state: what it holds, and what replaces it. */
export interface StateRecipe extends Omit<Step, 'kind'> {
  /** Whether it has the type and the axes of the state before it, so that the two can be swapped. */
  readonly alike: boolean
  readonly next: Next
  /** Before which step its new value is made: the others can read both. */
  readonly at: number
}

/** A program as data: any recipe can be followed, and so can what is left of it when steps are taken away. */
export interface Recipe {
  readonly axes: readonly RecipeAxis[]
  readonly steps: readonly Step[]
  readonly states: readonly StateRecipe[]
  /** More outputs than the last tensor, by how long ago they were made. */
  readonly outputs: readonly number[]
  readonly seed: number
}

export interface RecipeSettings {
  /** The ways in which steps make tensors, each as often as it is named; all, the usual ones more often, unless given. */
  readonly kinds?: readonly Kind[]
  readonly sizes?: fc.Arbitrary<number>
  readonly steps?: number
  /** The most states that a program has; 3 unless given. */
  readonly states?: number
  /** The number of elements above which no tensor grows. */
  readonly elements?: number
}

/** Sizes on edges are frequent, none at all is rare. */
export const smallSizes: fc.Arbitrary<number> = fc.oneof(
  { withCrossShrink: true },
  { weight: 12, arbitrary: fc.constantFrom(2, 1, 3, 5) },
  { weight: 3, arbitrary: fc.constantFrom(4, 7, 9) },
  { weight: 1, arbitrary: fc.constant(0) },
)

const names = ['batch', 'time', 'embed', 'vocab', 'head'] as const

const weightOf: { readonly [K in Kind]?: number } = {
  input: 3,
  unary: 8,
  binary: 6,
  compare: 2,
  logic: 2,
  cast: 2,
  bits: 3,
  constant: 1,
  extent: 1,
  barrier: 1,
}

const usual: readonly Kind[] = kinds.flatMap((k) => Array.from({ length: weightOf[k] ?? 2 }, () => k))

const three = (max: number): fc.Arbitrary<readonly [number, number, number]> => fc.tuple(fc.nat(max), fc.nat(max), fc.nat(max))

const stepOf = (among: readonly Kind[]): fc.Arbitrary<Step> =>
  fc.record({ kind: fc.constantFrom(...among), operands: three(4), dice: three(59) })

const state: fc.Arbitrary<StateRecipe> = fc.record({
  alike: fc.boolean(),
  next: fc.constantFrom(...nexts),
  at: fc.nat(23),
  operands: three(4),
  dice: three(59),
})

/** None in half of the programs. */
const someStates = (most: number): fc.Arbitrary<readonly StateRecipe[]> =>
  most === 0
    ? fc.constant([])
    : fc.oneof({ withCrossShrink: true }, fc.constant([]), fc.array(state, { minLength: 1, maxLength: most, size: 'max' }))

/** What a program without steps makes: fast-check takes the last steps away only from an array that may be empty. */
const leastStep: Step = { kind: 'input', operands: [0, 0, 0], dice: [0, 0, 0] }

const someSteps = (among: readonly Kind[], most: number): fc.Arbitrary<readonly Step[]> =>
  fc.array(stepOf(among), { maxLength: most, size: 'max' }).map((steps) => (steps.length === 0 ? [leastStep] : steps))

export const recipes = ({ kinds: among = usual, sizes = smallSizes, steps = 24, states = 3 }: RecipeSettings = {}): fc.Arbitrary<Recipe> =>
  fc.record({
    axes: fc
      .shuffledSubarray([...names], { minLength: 1, maxLength: 4 })
      .chain((chosen) => fc.tuple(...chosen.map((name) => fc.record({ name: fc.constant(name), size: sizes, open: fc.boolean() })))),
    steps: someSteps(among, steps),
    states: someStates(states),
    outputs: fc.array(fc.nat(9), { maxLength: 5, size: 'max' }),
    seed: fc.nat(),
  })
