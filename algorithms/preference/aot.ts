import { pipe } from 'fp-ts/lib/function.js'
import {
  argSort,
  countTrue,
  gather,
  mul,
  not,
  type Scalar,
  sizeAlong,
  sub,
  type Tensor,
  toI32,
  where,
  withinLength,
} from '../../dsl/index.js'
import { acrossRows } from '../aggregate.js'
import { type Setting, toScalar } from '../setting.js'
import { smoothedSigmoid } from './pair-loss.js'
import { hasTokens, type MeanSettings, nonEmptyRows, type Pair, pairTokens, type ReferencedResponse } from './pairs.js'
import { pairLogProbs, pairLogRatios, pairRefLogProbs, type SequenceSettings } from './sequences.js'

export interface AotConfig extends SequenceSettings, MeanSettings {
  /** The reward of a nat of log-ratio. */
  readonly beta: Setting
  /** What is sorted: `margins` of pairs, the policy's against the reference's; or `responses`, the chosen against the rejected. */
  readonly sorted: 'margins' | 'responses'
  /** As of the sigmoid loss: how likely a label is wrong, 0 if not said. */
  readonly smoothing?: Setting
}

/** Sorting takes a pair apart, and so there are no weights of pairs. */
type Unweighted = Pair<ReferencedResponse> & { readonly weights?: never }

type Rows = Tensor<'batch'>

/** The elements that the mask keeps from the least to the greatest, NaN behind them, and then the others. */
const sortKept = (mask: Tensor<'batch', 'bool'>): ((x: Rows) => Rows) => {
  const others = toI32(not(mask))
  return (x) => {
    const byValue = argSort('batch')(x)
    const keptFirst = pipe(others, gather('batch')(byValue), argSort('batch'))
    return pipe(x, gather('batch')(pipe(byValue, gather('batch')(keptFirst))))
  }
}

/** The two samples whose quantiles are compared: the first is to dominate the second. */
const samples: {
  readonly [S in AotConfig['sorted']]: (settings: SequenceSettings) => (pair: Pair<ReferencedResponse>) => readonly [Rows, Rows]
} = {
  margins: (settings) => (pair) => {
    const [policy, reference] = [pairLogProbs(settings)(pair), pairRefLogProbs(settings)(pair)]
    return [sub(policy.chosen, policy.rejected), sub(reference.chosen, reference.rejected)]
  },
  responses: (settings) => (pair) => {
    const { chosen, rejected } = pairLogRatios(settings)(pair)
    return [chosen, rejected]
  },
}

/**
 * Alignment via optimal transport: the distribution of good scores is to dominate that of the bad at each quantile, whichever pairs they are of.
 *
 *   L = mean over ranks i of −log σ(β·(x₍ᵢ₎ − y₍ᵢ₎)),   x₍₁₎ ≤ x₍₂₎ ≤ …
 *
 * Gradient: through `logProbs` alone, each back to the pair that its score came from. Padding changes nothing, but each pair's loss depends on
 * the others: micro-batches are not the batch. A batch without response tokens gives 0.
 * Source: arXiv:2406.05882; TRL dpo_trainer.py:_compute_loss (`aot`, `aot_unpaired`).
 */
export const aotLoss =
  ({ beta, sorted, smoothing, across = nonEmptyRows, ...settings }: AotConfig) =>
  (batch: Unweighted): Scalar => {
    const tokens = pairTokens(batch)
    const pairs = hasTokens(tokens)
    const [better, worse] = samples[sorted](settings)(batch).map(sortKept(pairs)) as [Rows, Rows]
    const ranks = pipe(pairs, countTrue('batch'), toI32, withinLength('batch', { size: sizeAlong('batch')(pairs) }))
    return pipe(mul(toScalar(beta), sub(better, worse)), smoothedSigmoid(smoothing), where(ranks), acrossRows(across)(tokens))
  }
