import type { DecoderSpecs, JudgeSpecs, ValuesOf } from '../../models/index.js'
import type { Progress } from './progress.js'
import type { Snapshot } from './snapshot.js'

/** What reinforcement begins with: the policy, which it is compared with, and the model of rewards that pays it, if there is one. Neither changes. */
export interface Base {
  readonly reference: ValuesOf<DecoderSpecs>
  readonly rewardModel?: ValuesOf<JudgeSpecs>
}

/** A checkpoint to go on from. */
export interface Resumed {
  readonly progress: Progress
  readonly snapshot: Snapshot
  /** Of a checkpoint of the reinforcement. */
  readonly base?: Base
}
