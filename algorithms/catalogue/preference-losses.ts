import { pipe } from 'fp-ts/lib/function.js'
import { bool, f32 } from '../../dsl/index.js'
import { sequenceMeanTokenMean, sequenceMeanTokenSum, tokenMean } from '../aggregate.js'
import { distillationLoss } from '../distillation.js'
import { aotLoss } from '../preference/aot.js'
import { cpoLoss } from '../preference/cpo.js'
import { type DpoConfig, dpoLoss } from '../preference/dpo.js'
import { ktoLoss } from '../preference/kto.js'
import { likelihoodLoss } from '../preference/likelihood.js'
import { orpoLoss } from '../preference/orpo.js'
import type { MeanSettings } from '../preference/pairs.js'
import { simpoLoss } from '../preference/simpo.js'
import { weightedLosses } from '../weighted.js'
import { type Divides, type Entry, entry } from './entry.js'
import { pairInputs, responseInputs, scoredInputs, scoredPairInputs } from './inputs.js'

/** The mean over pairs, under the counts of a step where there are some. */
const pairs = (of: Divides): MeanSettings => ({ across: of(sequenceMeanTokenSum).across })

const dpo = (config: Omit<DpoConfig, 'beta'>): Entry =>
  entry({ inputs: pairInputs, loss: (of) => dpoLoss({ beta: 0.1, ...pairs(of), ...config }) })

/** DPO and its relatives: losses of a pair's log-ratios. */
export const dpoLosses = {
  dpo: dpo({}),
  dpoSmoothed: dpo({ loss: { tag: 'sigmoid', smoothing: 0.1 } }),
  hinge: dpo({ loss: { tag: 'hinge' } }),
  ipo: dpo({ loss: { tag: 'ipo' } }),
  exo: dpo({ loss: { tag: 'exo', smoothing: 1e-3 } }),
  robust: dpo({ loss: { tag: 'robust', wrong: 0.1 } }),
  discopop: dpo({ loss: { tag: 'discopop', temperature: 0.05 } }),
  nca: dpo({ loss: { tag: 'nca' } }),
  bco: dpo({ loss: { tag: 'bco', shift: 0.2 } }),
  sppo: dpo({ loss: { tag: 'sppo' } }),
  apoZero: dpo({ loss: { tag: 'apoZero' } }),
  apoDown: dpo({ loss: { tag: 'apoDown' } }),
  dpoForwardKl: dpo({ divergence: { tag: 'forwardKl' } }),
  dpoJensenShannon: dpo({ divergence: { tag: 'jensenShannon' } }),
  dpoAlpha: dpo({ divergence: { tag: 'alpha', alpha: 0.5 } }),
  dpoPerToken: dpo({ within: { count: 'tokens' } }),
  ldDpo: dpo({ excess: 0.3 }),
  weightedDpo: entry({
    inputs: { ...pairInputs, weights: f32('batch') },
    loss: (of) => dpoLoss({ beta: 0.1, ...pairs(of) }),
  }),
  mpo: entry({
    inputs: pairInputs,
    loss: (of) =>
      weightedLosses(
        { weight: 0.8, loss: dpoLoss({ beta: 0.1, ...pairs(of) }) },
        { weight: 0.2, loss: dpoLoss({ beta: 0.1, loss: { tag: 'bco' }, ...pairs(of) }) },
        { weight: 1, loss: ({ chosen }) => likelihoodLoss(of(tokenMean))(chosen) },
      ),
  }),
}

/** Losses without a reference, of single responses, and of sorted ones. */
export const otherPreferenceLosses = {
  simpo: entry({ inputs: scoredPairInputs, loss: (of) => simpoLoss({ beta: 2, gamma: 0.5, ...pairs(of) }) }),
  cpo: entry({ inputs: scoredPairInputs, loss: (of) => cpoLoss({ beta: 0.1, aggregation: of(sequenceMeanTokenSum), ...pairs(of) }) }),
  orpo: entry({ inputs: scoredPairInputs, loss: (of) => orpoLoss({ lambda: 0.25, aggregation: of(sequenceMeanTokenMean), ...pairs(of) }) }),
  /** The baseline is given: of the batch's own rows it would couple them. */
  kto: entry({
    inputs: { ...responseInputs, desirable: bool('batch'), baseline: f32() },
    loss: (of) => ktoLoss({ beta: 0.1, desirableWeight: 1.2, ...pairs(of) }),
  }),
  /** Sorting couples the rows. */
  aot: entry({
    inputs: pairInputs,
    rowSeparable: false,
    loss: (of) => (pair) => pipe(pair, aotLoss({ beta: 0.4, sorted: 'margins', smoothing: 0.1, ...pairs(of) })),
  }),
  aotUnpaired: entry({
    inputs: pairInputs,
    rowSeparable: false,
    loss: (of) => (pair) => pipe(pair, aotLoss({ beta: 0.4, sorted: 'responses', smoothing: 0.1, ...pairs(of) })),
  }),
  likelihood: entry({ inputs: scoredInputs, loss: (of) => likelihoodLoss(of(tokenMean)) }),
  distillation: entry({
    inputs: { logits: f32('batch', 'time', 'vocab'), teacherLogits: f32('batch', 'time', 'vocab'), responseMask: bool('batch', 'time') },
    loss: (of) => distillationLoss({ temperature: 2, aggregation: of(tokenMean) }),
  }),
}
