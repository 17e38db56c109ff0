import type { Row } from '../row.js'
import { distributionRows } from './distributions.js'
import { logProbRows } from './log-probs.js'
import { mempoCompositeLoss } from './mempo-composite-loss.js'
import { mempoMemoryAdvantage } from './mempo-memory-advantage.js'
import { mmAgentLoss } from './mm-agent-loss.js'
import { mmDistillationLoss } from './mm-distillation-loss.js'
import { mmDpoLoss } from './mm-dpo-loss.js'
import { mmGrpoLoss } from './mm-grpo-loss.js'
import { ppoRows } from './ppo.js'
import { rewardRows } from './rewards.js'
import { trlDpoLosses } from './trl-dpo.js'
import { trlLosses } from './trl-loss.js'
import { trlPartRows } from './trl-parts.js'
import { verlAdvGrpo } from './verl-adv-grpo.js'
import { verlAggLoss } from './verl-agg-loss.js'
import { verlKlPenalty, verlKlPenaltyStraightThrough } from './verl-kl-penalty.js'
import { verlCovarianceRows } from './verl-covariance.js'
import { verlPolicyRows } from './verl-policy.js'
import { verlPolicyCispo } from './verl-policy-cispo.js'
import { verlRolloutRows } from './verl-rollout.js'
import { verlPolicyVanilla } from './verl-policy-vanilla.js'

/** The files that this library reproduces. */
export const rows: readonly Row[] = [
  mmGrpoLoss,
  mmAgentLoss,
  verlPolicyVanilla,
  verlPolicyCispo,
  verlKlPenalty,
  verlKlPenaltyStraightThrough,
  verlAggLoss,
  verlAdvGrpo,
  mempoCompositeLoss,
  mempoMemoryAdvantage,
  ...trlLosses,
  ...verlPolicyRows,
  ...verlRolloutRows,
  ...verlCovarianceRows,
  ...trlPartRows,
  ...ppoRows,
  ...rewardRows,
  ...logProbRows,
  ...distributionRows,
  ...trlDpoLosses,
  mmDpoLoss,
  mmDistillationLoss,
]
