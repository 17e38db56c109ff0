import type { Row } from '../row.js'
import { mempoCompositeLoss } from './mempo-composite-loss.js'
import { mmGrpoLoss } from './mm-grpo-loss.js'
import { verlPolicyVanilla } from './verl-policy-vanilla.js'

/** The files that this library reproduces. */
export const rows: readonly Row[] = [mmGrpoLoss, verlPolicyVanilla, mempoCompositeLoss]
