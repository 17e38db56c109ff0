import { pipe } from 'fp-ts/lib/function.js'
import { mean, type Scalar, sub, type Tensor } from '../../dsl/index.js'
import { negLogSigmoid } from './pair-loss.js'
import type { Pair } from './pairs.js'

/**
 * How unlikely a model of rewards finds what was preferred: two responses to a prompt are chosen between with odds of e to the difference of
 * their scores.
 *
 *   L = −mean over pairs of log σ(s_chosen − s_rejected)
 *
 * Gradient: into both scores. A score is known up to a number that both of a pair share. Source: InstructGPT, arXiv:2203.02155, eq. 1.
 */
export const bradleyTerryLoss = ({ chosen, rejected }: Pair<Tensor<'batch'>>): Scalar =>
  pipe(negLogSigmoid(sub(chosen, rejected)), mean('batch'))
