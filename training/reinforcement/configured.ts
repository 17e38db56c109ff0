import { pipe } from 'fp-ts/lib/function.js'
import {
  aggregate,
  type Aggregation,
  cispoLoss,
  type ClipRange,
  dpoLoss,
  fixedDivisor,
  grpoLoss,
  gspoLoss,
  isCount,
  type KlName,
  klOf,
  mempoLoss,
  type PolicyBatch,
  preferenceMetrics,
  responseTokens,
  rlooLoss,
  rowMeanTokenMean,
  sequenceMeanTokenMean,
  sequenceMeanTokenSum,
  tokenMean,
  valueLoss,
} from '../../algorithms/index.js'
import { add, countTrue, greater, maskedSum, mul, type Scalar, type Tensor, where } from '../../dsl/index.js'
import type { Scalars } from '../step-program.js'
import { type Field, fieldSpecs, type Inputs } from './fields.js'

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

type Of = (how: Aggregation) => Aggregation

/** The inputs of these names, as a trainer has them first. */
const reading = (...fields: readonly Field[]): Inputs => Object.fromEntries(fields.map((field) => [field, fieldSpecs[field][0]]))

const surrogate = ['logProbs', 'oldLogProbs', 'advantages', 'responseMask'] as const

const anchored = (beta: number): readonly Field[] => (beta === 0 ? surrogate : [...surrogate, 'refLogProbs'])

/** An algorithm with its settings, for steps that are run in parts: `of` makes the divisors those of the whole. */
export interface Configured {
  readonly inputs: Inputs
  readonly loss: (of: Of) => (inputs: never) => Scalar
  /** What is watched of it alone. */
  readonly watched?: (of: Of) => (inputs: never) => Scalars
}

const twoTenths = { low: 0.2, high: 0.2 }

interface Objective {
  readonly beta: number
  readonly kl: KlName
  readonly aggregation: Aggregation
}

/** β·KL of a batch, as the losses of this family take it from their surrogate. */
const priceOf = ({ beta, kl, aggregation }: Objective, batch: PolicyBatch): Scalar => {
  const tokens = responseTokens(batch)
  return mul(beta, pipe(klOf({ kl })(tokens), aggregate(aggregation)(tokens.responseMask)))
}

/** A loss that is a surrogate and the price of leaving the reference, each of which is watched. */
const anchoredLoss = (
  { beta = 0, kl = 'k3', aggregation = 'tokenMean' }: LossSettings,
  lossOf: (objective: Objective) => (inputs: never) => Scalar,
): Configured => {
  const objective = (of: Of): Objective => ({ beta, kl, aggregation: of(aggregations[aggregation]) })
  return {
    inputs: reading(...anchored(beta)),
    loss: (of) => lossOf(objective(of)),
    watched: (of) => (given) => ({
      policyLoss: lossOf({ ...objective(of), beta: 0 })(given),
      ...(beta !== 0 && { klLoss: priceOf(objective(of), given) }),
    }),
  }
}

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
export const configured: Readonly<Record<string, (settings: LossSettings) => Configured>> = {
  grpo: ({ clip = twoTenths, ...settings }) => anchoredLoss({ beta: 0.01, ...settings }, (objective) => grpoLoss({ clip, ...objective })),
  mempo: ({ clip = twoTenths, ...settings }) => {
    const { inputs, ...loss } = anchoredLoss({ beta: 0.01, ...settings }, (objective) => mempoLoss({ clip, ...objective }))
    return { ...loss, inputs: { ...inputs, ...reading('memoryAdvantages', 'spanTurn') } }
  },
  ppo: ({ clip = twoTenths, valueClip = 0.2, valueCoefficient = 0.5, ...settings }) => {
    const { inputs, loss, ...policy } = anchoredLoss(settings, (objective) => grpoLoss({ clip, ...objective }))
    const value = (of: Of) => valueLoss({ clip: valueClip, aggregation: of(tokenMean) })
    return {
      ...policy,
      inputs: { ...inputs, advantages: fieldSpecs.advantages[1], ...reading('values', 'oldValues', 'returns') },
      loss: (of) => (given) => add(loss(of)(given), mul(valueCoefficient, pipe(given, value(of)))),
    }
  },
  cispo: ({ most = 5, ...settings }) =>
    anchoredLoss(settings, (objective) => cispoLoss({ bounds: { most }, logRatioLimit: 20, ...objective })),
  gspo: ({ clip = { low: 3e-4, high: 4e-4 }, ...settings }) =>
    anchoredLoss({ aggregation: 'rowMeanTokenMean', ...settings }, (objective) => gspoLoss({ clip, level: 'sequence', ...objective })),
  rloo: ({ clip = twoTenths }) => ({ inputs: reading(...surrogate), loss: rlooOfTokens(clip) }),
  dpo: ({ beta = 0.1 }) => {
    const config = (of: Of) => ({ beta, across: of(sequenceMeanTokenSum).across })
    return {
      inputs: { chosen: response, rejected: response },
      loss: (of) => dpoLoss(config(of)),
      watched: (of) => (given) => ({ ...preferenceMetrics(config(of))(given) }),
    }
  },
}
