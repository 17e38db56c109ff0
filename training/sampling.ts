import { pipe } from 'fp-ts/lib/function.js'
import { argMax, exp, gather, log, logSumExp, max, mul, recip, type Scalar, sub, type Tensor } from '../dsl/index.js'
import { mostLikely } from './most-likely.js'
import { type TokenAt, tokenAt } from './token-at.js'

type Logits = Tensor<'batch' | 'vocab'>
type PerRow = Tensor<'batch'>

/** What a token is drawn by. */
export interface Chance {
  /** Of each row a number in [0, 1). */
  readonly uniform: PerRow
  /** The logits are divided by it. */
  readonly temperature: Scalar
  /** How many of the most likely tokens may be drawn. */
  readonly topK: Scalar<'i32'>
  /** Of these, so many of the most likely as have this probability together. */
  readonly topP: Scalar
}

/** A token of each row. Log-probabilities are in nats; those of a row with a NaN among its logits are NaN. (A type: an interface is no tree to tsc.) */
export type Drawn = {
  readonly ids: Tensor<'batch', 'i32'>
  /** log π(id), of softmax(logits): the policy's own, whatever the settings. */
  readonly logProbs: PerRow
  /** log μ(id): of the distribution that it was drawn from. */
  readonly samplingLogProbs: PerRow
}

/** Which token, and the log-probability of drawing it. */
type Choice = Pick<Drawn, 'ids' | 'samplingLogProbs'>

const at = (ids: Tensor<'batch', 'i32'>) => gather('vocab')(ids)

/** e^((x − max)/T): in [0, 1], 1 for the most likely, proportional to softmax(x/T). */
const weightsOf = (logits: Logits, temperature: Scalar): Logits => exp(mul(sub(logits, pipe(logits, max('vocab'))), recip(temperature)))

const chosen = ({ ids, probabilities }: TokenAt): Choice => ({ ids, samplingLogProbs: log(probabilities) })

/** How tokens are drawn: the most likely one, from the whole distribution, or from its most likely part. */
export type Drawing = 'greedy' | 'whole' | 'part'

const choices: { readonly [D in Drawing]: (logits: Logits, chance: Chance) => Choice } = {
  greedy: (logits, { uniform }) => ({ ids: pipe(logits, argMax('vocab')), samplingLogProbs: mul(uniform, 0) }),
  whole: (logits, { uniform, temperature }) => chosen(tokenAt(uniform, weightsOf(logits, temperature))),
  part: (logits, { uniform, temperature, topK, topP }) =>
    chosen(tokenAt(uniform, pipe(weightsOf(logits, temperature), mostLikely(topK, topP)))),
}

/** A token of each row, and how likely it was. The same bits at the same logits and chance, whatever the other rows are. No gradient. */
export const draw =
  (drawing: Drawing) =>
  (chance: Chance) =>
  (logits: Logits): Drawn => {
    const choice = choices[drawing](logits, chance)
    return { ...choice, logProbs: sub(pipe(logits, at(choice.ids)), pipe(logits, logSumExp('vocab'))) }
  }
