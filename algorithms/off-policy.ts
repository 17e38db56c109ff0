import { pipe } from 'fp-ts/lib/function.js'
import { greaterEqual, lessEqual, neg, or, stopGradient, type Tensor } from '../dsl/index.js'
import { rowsOf } from './aggregate.js'
import type { Tokens } from './batch.js'
import { type Setting, toScalar } from './setting.js'

/**
 * The rows to learn from: all with A ≥ 0, and of the others those that the policy has not left behind: the mean of log μ − log π over the row's
 * tokens, in nats, is at most the threshold; `logRatio` is log π − log μ. Data. Source: DeepSeek-V3.2, arXiv:2512.02556, off-policy sequence masking.
 */
export const onPolicyRows =
  (most: Setting) =>
  (logRatio: Tensor<Tokens>, advantages: Tensor<'batch'>, mask: Tensor<Tokens, 'bool'>): Tensor<'batch', 'bool'> => {
    const drift = pipe(neg(stopGradient(logRatio)), rowsOf({ count: 'tokens' })(mask))
    return or(greaterEqual(advantages, 0), lessEqual(drift, toScalar(most)))
  }
