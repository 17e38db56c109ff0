import { pipe } from 'fp-ts/lib/function.js'
import {
  discountedReturns,
  gae,
  gpgAdvantages,
  groupAdvantages,
  type GroupSettings,
  opoAdvantages,
  optimalTokenBaseline,
  passAtKAdvantages,
  reinforcePlusPlus,
  reinforcePlusPlusBaseline,
  remax,
  responseOnly,
  type Tokens,
  whiten,
  type WhitenSettings,
} from '../../../algorithms/index.js'
import type { Tensor, TensorsOf } from '../../../dsl/index.js'
import type { episodeSpec } from './episodes.js'

type Given = TensorsOf<typeof episodeSpec>

export interface Estimator {
  readonly advantages: (given: Given) => Tensor<Tokens>
  /** What of a batch can be taken alone without another result. */
  readonly alone: 'row' | 'group' | 'batch'
  /** Whether tokens outside the mask, between those of the response, cost no step. */
  readonly skipsTools: boolean
}

/** An ε that keeps rounding far from the bound of `close`. */
const settings: GroupSettings = { scale: 'deviation', ddof: 1, epsilon: 0.1, singleton: 'reward' }

const whitening: WhitenSettings = { ddof: 1, epsilon: 0.1 }

const groups = { groups: 2 }

/** An estimator of one number a row. */
const ofRows = (alone: Estimator['alone'], advantages: (given: Given) => Tensor<'batch'>): Estimator => ({
  advantages: (given) => pipe(advantages(given), responseOnly(given.responseMask)),
  alone,
  skipsTools: true,
})

const ofGroups = (changed: Partial<GroupSettings>, alone: Estimator['alone'] = 'group'): Estimator =>
  ofRows(alone, ({ scores, group }) => groupAdvantages({ ...settings, ...changed })(scores, group, groups))

const ofTokens = (
  alone: Estimator['alone'],
  advantages: Estimator['advantages'],
  { skipsTools }: { readonly skipsTools: boolean } = { skipsTools: true },
): Estimator => ({ advantages, alone, skipsTools })

/** Every estimator of advantages, under the settings that change what it is. */
export const estimators: Readonly<Record<string, Estimator>> = {
  'generalized advantage estimation': ofTokens('row', (given) => gae({ gamma: 0.9, lambda: 0.8 })(given).advantages),
  'the same, whitened': ofTokens('batch', (given) =>
    pipe(gae({ gamma: 0.9, lambda: 0.8 })(given).advantages, whiten(whitening)(given.responseMask)),
  ),
  returns: ofTokens('row', ({ rewards, responseMask }) => discountedReturns({ gamma: 0.9 })(responseMask)(rewards)),
  'returns that tools end': ofTokens(
    'row',
    ({ rewards, responseMask }) => discountedReturns({ gamma: 0.9, outside: 'reset' })(responseMask)(rewards),
    { skipsTools: false },
  ),
  ReMax: ofTokens('row', ({ rewards, baselines, responseMask }) => remax(responseMask)(rewards, baselines).advantages),
  'REINFORCE++': ofTokens(
    'batch',
    ({ rewards, responseMask }) => reinforcePlusPlus({ gamma: 0.9, whitening })(responseMask)(rewards).advantages,
  ),
  'REINFORCE++ with a baseline': ofTokens('batch', ({ scores, group, responseMask }) =>
    reinforcePlusPlusBaseline({ singleton: 'reward', whitening })(responseMask)(scores, group, groups),
  ),
  GRPO: ofGroups({}),
  'Dr. GRPO': ofGroups({ scale: 'one', singleton: 'zero' }),
  'the deviation of the batch': ofGroups({ scale: 'batchDeviation' }, 'batch'),
  'the least deviation': ofGroups({ leastDeviation: 1 }),
  'leave one out': ofGroups({ baseline: 'others', scale: 'one' }),
  'pass@k': ofRows('group', ({ scores, group }) => passAtKAdvantages(settings)(scores, group, groups)),
  OPO: ofRows('group', ({ scores, group, responseMask }) => opoAdvantages({ singleton: 'reward' })(responseMask)(scores, group, groups)),
  GPG: ofRows('batch', ({ scores, group }) => gpgAdvantages({ singleton: 'reward' })(scores, group, groups)),
  'the baseline of each place': ofTokens(
    'group',
    (given) => optimalTokenBaseline({ step: 'place', lone: 'zero', epsilon: 0.1 })(given, given.group, groups).advantages,
    { skipsTools: false },
  ),
  'the baseline of each response token': ofTokens(
    'group',
    (given) => optimalTokenBaseline({ step: 'responseToken', lone: 'return', epsilon: 0.1 })(given, given.group, groups).advantages,
  ),
}
