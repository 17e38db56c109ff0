import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import {
  type Aggregation,
  catalogue,
  cispoLoss,
  type ClipRange,
  dpoLoss,
  fixedDivisor,
  grpoLoss,
  gspoLoss,
  isCount,
  type KlName,
  mempoLoss,
  ofStep,
  ppoLoss,
  rlooLoss,
  rowMeanTokenMean,
  sequenceMeanTokenMean,
  sequenceMeanTokenSum,
  type StepCounts,
  tokenMean,
} from '../../algorithms/index.js'
import { countTrue, greater, type Loss, maskedSum, type Scalar, type Tensor, where } from '../../dsl/index.js'
import { type Field, fieldSpecs, type Inputs, readable } from './fields.js'
import type { LossError } from './loss-error.js'

/** How tokens become one number, by name. */
export const aggregations = {
  tokenMean,
  sequenceMeanTokenMean,
  sequenceMeanTokenSum,
  rowMeanTokenMean,
  fixedDivisor: fixedDivisor(),
} as const satisfies Readonly<Record<string, Aggregation>>

/** What the losses that have settings are made from; each has its own where one is not said. */
export interface LossSettings {
  readonly clip?: ClipRange
  /** Weight of the KL in the loss, in 1/nat, or DPO's β; 0 drops the reference. */
  readonly beta?: number
  readonly kl?: KlName
  readonly aggregation?: keyof typeof aggregations
  /** The greatest weight of CISPO. */
  readonly most?: number
  /** How far a critic's value may go from its old one, in the units of the reward. */
  readonly valueClip?: number
  /** Weight of the critic's loss. */
  readonly valueCoefficient?: number
}

/** A loss as a trainer uses it. */
export interface Recipe {
  readonly name: string
  readonly inputs: Inputs
  /** The loss of a part of a step. */
  readonly loss: (inputs: never, step: StepCounts) => Scalar
  /** Whether the parts of a step add up to it. */
  readonly inParts: boolean
}

type Of = (how: Aggregation) => Aggregation

/** The inputs of these names, as a trainer has them first. */
const reading = (...fields: readonly Field[]): Inputs => Object.fromEntries(fields.map((field) => [field, fieldSpecs[field][0]]))

const surrogate = ['logProbs', 'oldLogProbs', 'advantages', 'responseMask'] as const

const anchored = (beta: number): readonly Field[] => (beta === 0 ? surrogate : [...surrogate, 'refLogProbs'])

interface Made {
  readonly inputs: Inputs
  readonly loss: (of: Of) => (inputs: never) => Scalar
}

const twoTenths = { low: 0.2, high: 0.2 }

const objective = ({ beta = 0, kl = 'k3', aggregation = 'tokenMean' }: LossSettings) => ({
  inputs: reading(...anchored(beta)),
  config: (of: Of) => ({ beta, kl, aggregation: of(aggregations[aggregation]) }),
})

const response = reading('logProbs', 'refLogProbs', 'responseMask')

interface Responses {
  readonly logProbs: Tensor<'batch' | 'time'>
  readonly oldLogProbs: Tensor<'batch' | 'time'>
  readonly advantages: Tensor<'batch'>
  readonly responseMask: Tensor<'batch' | 'time', 'bool'>
}

/** RLOO of rows: the sum over a row's tokens is what its response is worth. */
const rlooOfTokens =
  (clip: ClipRange) =>
  (of: Of) =>
  ({ logProbs, oldLogProbs, advantages, responseMask }: Responses): Scalar => {
    const { across } = of({ within: 1, across: { count: 'rows' } })
    const total = maskedSum(responseMask, 'time')
    const isThere = greater(pipe(responseMask, countTrue('time')), 0)
    return rlooLoss({ clip, ...(isCount(across) ? {} : { across }) })({
      logProbs: pipe(logProbs, total),
      oldLogProbs: pipe(oldLogProbs, total),
      advantages: pipe(advantages, where(isThere)),
    })
  }

/** The algorithms that have settings. */
const made: Readonly<Record<string, (settings: LossSettings) => Made>> = {
  grpo: ({ clip = twoTenths, ...settings }) => {
    const { inputs, config } = objective({ beta: 0.01, ...settings })
    return { inputs, loss: (of) => grpoLoss({ clip, ...config(of) }) }
  },
  mempo: ({ clip = twoTenths, ...settings }) => {
    const { inputs, config } = objective({ beta: 0.01, ...settings })
    return { inputs: { ...inputs, ...reading('memoryAdvantages', 'spanTurn') }, loss: (of) => mempoLoss({ clip, ...config(of) }) }
  },
  ppo: ({ clip = twoTenths, valueClip = 0.2, valueCoefficient = 0.5, ...settings }) => {
    const { inputs, config } = objective(settings)
    const perToken = { ...inputs, advantages: fieldSpecs.advantages[1], ...reading('values', 'oldValues', 'returns') }
    const value = (of: Of) => ({ clip: valueClip, aggregation: of(tokenMean) })
    return {
      inputs: perToken,
      loss: (of) => (given) => ppoLoss({ policy: { clip, ...config(of) }, value: value(of), valueCoefficient })(given, given),
    }
  },
  cispo: ({ most = 5, ...settings }) => {
    const { inputs, config } = objective(settings)
    return { inputs, loss: (of) => cispoLoss({ bounds: { most }, logRatioLimit: 20, ...config(of) }) }
  },
  gspo: ({ clip = { low: 3e-4, high: 4e-4 }, ...settings }) => {
    const { inputs, config } = objective({ aggregation: 'rowMeanTokenMean', ...settings })
    return { inputs, loss: (of) => gspoLoss({ clip, level: 'sequence', ...config(of) }) }
  },
  rloo: ({ clip = twoTenths }) => ({ inputs: reading(...surrogate), loss: rlooOfTokens(clip) }),
  dpo: ({ beta = 0.1 }) => ({
    inputs: { chosen: response, rejected: response },
    loss: (of) => dpoLoss({ beta, across: of(sequenceMeanTokenSum).across }),
  }),
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
    ...Object.keys(made),
    ...Object.entries(catalogue)
      .filter(([, { loss }]) => E.isRight(readable(loss)))
      .map(([name]) => name),
  ]),
]

/** The recipe of an algorithm by name. */
export const recipeOf = (name: string, settings: LossSettings): E.Either<LossError, Recipe> => {
  if (!algorithmNames.includes(name)) return E.left({ tag: 'unknownAlgorithm', name, has: algorithmNames })
  const own = made[name]?.(settings)
  if (own !== undefined) return E.right({ name, inputs: own.inputs, loss: (inputs, step) => own.loss(ofStep(step))(inputs), inParts: true })
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
