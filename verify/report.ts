import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import type { BindError, DType, ProgramError, Value } from '../dsl/index.js'
import type { Flow, Reach } from './flow.js'

/** What the check of a loss found. Data throughout: `JSON.stringify` it, or give it to `renderReport`. */
export interface Report {
  readonly name: string
  /** How many samples were compared. */
  readonly runs: number
  readonly inputs: readonly InputReport[]
  readonly flow: readonly Flow[]
  readonly failure?: Failure
}

/** What was compared of the derivatives by one input. */
export interface InputReport {
  readonly input: string
  readonly compared: number
  /** Elements at a kink, where there is no derivative to compare with. */
  readonly kinks: number
}

/** A number that is not what it should be, in one sample. */
export type Fault =
  | { readonly tag: 'notFinite'; readonly what: string; readonly value: number; readonly input?: string; readonly index?: number }
  | {
      readonly tag: 'gradientDiffers'
      /** 2: the gradient of ⟨gradient, direction⟩. */
      readonly order: 1 | 2
      readonly input: string
      /** The element, counted in the order of the declaration's axes. */
      readonly index: number
      readonly reverse: number
      readonly differences: number
    }
  | { readonly tag: 'modesDiffer'; readonly forward: number; readonly reverse: number }
  /** In a direction in which equal elements move alike: how the gradient is shared where they tie. */
  | { readonly tag: 'tiesDiffer'; readonly reverse: number; readonly differences: number }
  /** Values that an arbitrary of the user's made and that the loss cannot be run with. */
  | { readonly tag: 'doesNotFit'; readonly errors: NonEmptyArray<BindError> }

/** The smallest values that show a fault, and how to come back to them. */
export interface Found {
  readonly counterexample: Readonly<Record<string, Value>>
  readonly seed: number
  readonly shrinkPath: string
  /** A command or a call that finds the counterexample again. */
  readonly replay: string
}

export type Failure =
  | (Fault & Found)
  | { readonly tag: 'badGraph'; readonly errors: NonEmptyArray<ProgramError> }
  | { readonly tag: 'notScalar'; readonly dtype: DType; readonly axes: readonly string[] }
  | { readonly tag: 'badRange'; readonly input: string; readonly range: readonly number[]; readonly because: string }
  /** A gradient reaches an input that was not to have one, does not reach one that was, or is stopped on some way or on none. */
  | { readonly tag: 'flowDiffers'; readonly input: string; readonly expected: Reach | undefined; readonly found?: Flow }
  | { readonly tag: 'noSizes'; readonly errors: readonly BindError[] }
  /** No derivative was compared: no float reaches the loss, or every point tried was at a kink. */
  | { readonly tag: 'nothingCompared' }
