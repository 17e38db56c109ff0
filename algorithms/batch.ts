import { pipe } from 'fp-ts/lib/function.js'
import { select, stopGradient, type Tensor } from '../dsl/index.js'

/** The axes of a response token: the row (one sampled response) and the place in it. */
export type Tokens = 'batch' | 'time'

/**
 * What a policy-gradient loss reads. Log-probabilities are in nats, of the token that was sampled.
 * `A` is the axes of the advantages: `batch` for one a response (GRPO), `batch` and `time` for one a token (MemPO, GAE).
 */
export interface PolicyBatch<A extends Tokens = 'batch'> {
  /** log π(token), of the policy being trained: the only field that a gradient flows into. */
  readonly logProbs: Tensor<Tokens>
  /** log π_old(token), of the policy as it was when the responses were sampled. */
  readonly oldLogProbs: Tensor<Tokens>
  /** log π_ref(token), of the policy to stay close to. */
  readonly refLogProbs: Tensor<Tokens>
  readonly advantages: Tensor<A>
  /** Which tokens the policy wrote: not the prompt, not a tool's answer, not padding. */
  readonly responseMask: Tensor<Tokens, 'bool'>
  /** A factor of each token's surrogate, as the truncated importance weight of a rollout engine that samples from a slightly other policy. */
  readonly rolloutWeights?: Tensor<Tokens>
}

/** The fields that the surrogate alone reads: all there need be where there is no reference policy. */
export type SurrogateBatch<A extends Tokens = 'batch'> = Omit<PolicyBatch<A>, 'refLogProbs'>

/**
 * x at response tokens and 0 elsewhere, repeated along the axes of the mask that it lacks.
 *
 * It stands at the entrance of a loss, before the first `exp`. A select at the exit would be too late: its gradient, 0, meets
 * the derivative of `exp` at whatever padding holds, and 0·NaN is NaN.
 */
export const responseOnly =
  (mask: Tensor<Tokens, 'bool'>) =>
  <A extends Tokens>(x: Tensor<A>): Tensor<Tokens> =>
    select(mask, x, 0)

/** x at response tokens, as data: no gradient flows into it. */
const dataOnly =
  (mask: Tensor<Tokens, 'bool'>) =>
  <A extends Tokens>(x: Tensor<A>): Tensor<Tokens> =>
    pipe(x, stopGradient, responseOnly(mask))

/** The entrance without a reference policy: see `responseTokens`. */
export const surrogateTokens = <A extends Tokens>(batch: SurrogateBatch<A>): SurrogateBatch<Tokens> => {
  const data = dataOnly(batch.responseMask)
  return {
    logProbs: pipe(batch.logProbs, responseOnly(batch.responseMask)),
    oldLogProbs: data(batch.oldLogProbs),
    advantages: data(batch.advantages),
    responseMask: batch.responseMask,
    ...(batch.rolloutWeights === undefined ? {} : { rolloutWeights: data(batch.rolloutWeights) }),
  }
}

/**
 * The entrance of a loss: every field at response tokens alone, the advantage at each of its tokens, and all but `logProbs` data.
 * Outside the mask everything is 0, so that there the ratio is 1, the advantage 0 and the KL 0, whatever the padding held.
 */
export const responseTokens = <A extends Tokens>(batch: PolicyBatch<A>): PolicyBatch<Tokens> => ({
  ...surrogateTokens(batch),
  refLogProbs: dataOnly(batch.responseMask)(batch.refLogProbs),
})
