import { pipe } from 'fp-ts/lib/function.js'
import { likelihoodLoss, tokenMean } from '../algorithms/index.js'
import { bool, f32, i32, type Scalar, type SpecTree, stopGradient, type Tensor, type TensorsOf, tokenLogProbs } from '../dsl/index.js'

/** A policy: from parameters and token ids, the logits of the token after each. */
export type PolicyLogits<P> = (params: P, tokens: Tensor<'batch' | 'time', 'i32'>) => Tensor<'batch' | 'time' | 'vocab'>

/** Sequences as a model reads them: at each place the token there, the token to be said next, and whether that one is of an answer. */
export const sequenceSpecs = { tokens: i32('batch', 'time'), targets: i32('batch', 'time'), responseMask: bool('batch', 'time') }

/**
 * Sampled answers, log π_old of each target in nats, what each row earned, and the prompt that it answers: rows of one prompt have one
 * group, counted from 0.
 */
export const sampledSpecs = {
  ...sequenceSpecs,
  oldLogProbs: f32('batch', 'time'),
  rewards: f32('batch'),
  group: i32('batch'),
}

/**
 * Sampled answers and the parameters of a reference policy to stay close to. A step is given these with its batch,
 * `{ ...sampledBatch(…), reference }`: a tree that the device holds (`copyTree`) is used where it lies and never changed.
 */
export const anchoredSpecs = <P extends SpecTree>(parameters: P) => ({ ...sampledSpecs, reference: parameters })

/** Tensors of `sequenceSpecs`. */
export type SequenceBatch = TensorsOf<typeof sequenceSpecs>
/** Tensors of `sampledSpecs`. */
export type SampledBatch = TensorsOf<typeof sampledSpecs>

/** Sampled answers with the log-probabilities that the policy being trained gives them. */
export interface ScoredBatch extends SampledBatch {
  readonly logProbs: Tensor<'batch' | 'time'>
}

/** A scored batch with the log-probabilities that the reference gives the same tokens, in nats, at temperature 1. */
export interface AnchoredBatch extends ScoredBatch {
  readonly refLogProbs: Tensor<'batch' | 'time'>
}

/** log π(target) at each place, in nats, at temperature 1. Gradient: into `params`. */
export const targetLogProbs = <P>(logits: PolicyLogits<P>, params: P, { tokens, targets }: SequenceBatch): Tensor<'batch' | 'time'> =>
  pipe(logits(params, tokens), tokenLogProbs('vocab')(targets))

/** Maximum likelihood: the mean of −log π(target) over the tokens of answers, in nats. Gradient: into `params`. 0 for a batch without answers. */
export const supervisedLoss =
  <P>(logits: PolicyLogits<P>) =>
  (params: P, batch: SequenceBatch): Scalar =>
    likelihoodLoss(tokenMean)({ logProbs: targetLogProbs(logits, params, batch), responseMask: batch.responseMask })

/**
 * A policy-gradient loss as a function of the parameters. `logProbs` are at temperature 1, whatever the answers were sampled at: at the
 * policy that answered the ratio is 1 where `oldLogProbs` are that policy's too, as `sampledBatch` has them unless told.
 */
export const policyLoss =
  <P>(logits: PolicyLogits<P>, loss: (batch: ScoredBatch) => Scalar) =>
  (params: P, batch: SampledBatch): Scalar =>
    loss({ ...batch, logProbs: targetLogProbs(logits, params, batch) })

/** A policy-gradient loss against a frozen reference of the same architecture. Gradient: into `params` alone, none into `reference`. */
export const anchoredPolicyLoss =
  <P>(logits: PolicyLogits<P>, loss: (batch: AnchoredBatch) => Scalar) =>
  (params: P, { reference, ...batch }: SampledBatch & { readonly reference: P }): Scalar => {
    const refLogProbs = stopGradient(targetLogProbs(logits, reference, batch))
    return policyLoss(logits, (scored) => loss({ ...scored, refLogProbs }))(params, batch)
  }
