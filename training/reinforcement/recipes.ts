import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { catalogue, ofStep, type StepCounts } from '../../algorithms/index.js'
import type { Loss, Scalar } from '../../dsl/index.js'
import type { Scalars } from '../step-program.js'
import { configured, type Configured, type LossSettings } from './configured.js'
import { type Inputs, readable } from './fields.js'
import type { LossError } from './loss-error.js'

/** A loss as a trainer uses it. */
export interface Recipe {
  readonly name: string
  readonly inputs: Inputs
  /** The loss of a part of a step. */
  readonly loss: (inputs: never, step: StepCounts) => Scalar
  /** What is watched of it alone: what it is the sum of, or what it makes of pairs. */
  readonly watched?: (inputs: never, step: StepCounts) => Scalars
  /** Whether the parts of a step add up to it. */
  readonly inParts: boolean
}

const ofLibrary = (name: string): Recipe | undefined => {
  const found = Object.entries(catalogue).find(([key]) => key === name)?.[1]
  return (
    found && {
      name,
      inputs: found.loss.inputs as Inputs,
      loss: (inputs, step) => found.ofStep(step).loss(inputs),
      inParts: found.rowSeparable,
    }
  )
}

/** Algorithms that can be asked for by name: those that have settings, and every loss of the library that reads what a trainer has. */
export const algorithmNames: readonly string[] = [
  ...new Set([
    ...Object.keys(configured),
    ...Object.entries(catalogue)
      .filter(([, { loss }]) => E.isRight(readable(loss)))
      .map(([name]) => name),
  ]),
]

const inSteps = (name: string, { inputs, loss, watched }: Configured): Recipe => ({
  ...{ name, inputs, inParts: true },
  loss: (given, step) => loss(ofStep(step))(given),
  ...(watched && { watched: (given: never, step: StepCounts) => watched(ofStep(step))(given) }),
})

/** The recipe of an algorithm by name. */
export const recipeOf = (name: string, settings: LossSettings): E.Either<LossError, Recipe> => {
  if (!algorithmNames.includes(name)) return E.left({ tag: 'unknownAlgorithm', name, has: algorithmNames })
  const own = configured[name]?.(settings)
  if (own !== undefined) return E.right(inSteps(name, own))
  const found = ofLibrary(name)
  return found === undefined ? E.left({ tag: 'unknownAlgorithm', name, has: algorithmNames }) : E.right(found)
}

/** The recipe of a user's own loss. It may be run in parts where it reads `step`, by which it says that it divides by what the step counts. */
export const recipeOfLoss = (loss: Loss<unknown>): E.Either<LossError, Recipe> =>
  pipe(
    readable(loss),
    E.map((inputs) => ({
      name: loss.name,
      inputs,
      loss: (given: never) => loss.loss(given),
      inParts: 'step' in inputs && !('group' in inputs),
    })),
  )
