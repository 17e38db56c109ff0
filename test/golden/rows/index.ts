import type { Row } from '../row.js'
import { distributionRows } from './distributions.js'
import { logProbRows } from './log-probs.js'
import { mempoCompositeLoss } from './mempo-composite-loss.js'
import { mempoMemoryAdvantage } from './mempo-memory-advantage.js'
import { mmAgentLoss } from './mm-agent-loss.js'
import { mmDistillationLoss } from './mm-distillation-loss.js'
import { mmDpoLoss } from './mm-dpo-loss.js'
import { mmGrpoLoss } from './mm-grpo-loss.js'
import { mmPpoMaskGae } from './mm-ppo-mask-gae.js'
import { ppoRows } from './ppo.js'
import { rewardRows } from './rewards.js'
import { trlAdvantageRows } from './trl-advantages.js'
import { trlDpoLosses } from './trl-dpo.js'
import { trlLosses } from './trl-loss.js'
import { trlPartRows } from './trl-parts.js'
import { trlPpoRewardsGae } from './trl-ppo-rewards-gae.js'
import { verlGroupRows } from './verl-adv-group.js'
import { verlTokenBaselineRows } from './verl-adv-otb.js'
import { verlAdvRemax } from './verl-adv-remax.js'
import { verlAggLoss } from './verl-agg-loss.js'
import { verlCovarianceRows } from './verl-covariance.js'
import { verlGae } from './verl-gae.js'
import { verlKlPenalty, verlKlPenaltyStraightThrough } from './verl-kl-penalty.js'
import { verlAdaptiveKlController, verlComputeRewards } from './verl-kl-reward.js'
import { verlMaskedOps } from './verl-masked-ops.js'
import { verlPolicyCispo } from './verl-policy-cispo.js'
import { verlPolicyVanilla } from './verl-policy-vanilla.js'
import { verlPolicyRows } from './verl-policy.js'
import { verlRolloutRows } from './verl-rollout.js'

/** The files that this library reproduces. */
export const rows: readonly Row[] = [
  mmGrpoLoss,
  mmAgentLoss,
  verlPolicyVanilla,
  verlPolicyCispo,
  verlKlPenalty,
  verlKlPenaltyStraightThrough,
  verlAggLoss,
  mempoCompositeLoss,
  mempoMemoryAdvantage,
  verlGae,
  verlMaskedOps,
  verlComputeRewards,
  verlAdaptiveKlController,
  verlAdvRemax,
  trlPpoRewardsGae,
  mmPpoMaskGae,
  ...trlAdvantageRows,
  ...trlLosses,
  ...verlGroupRows,
  ...verlTokenBaselineRows,
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
