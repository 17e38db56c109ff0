import type { DecoderParameters, DecoderSpecs, JudgeParameters, JudgeSpecs } from '../models/index.js'

/** What reinforcement trains: a policy, and a critic where the loss asks for one. */
export type NetSpecs = { readonly policy: DecoderSpecs; readonly critic: JudgeSpecs } | { readonly policy: DecoderSpecs }

/** What a stage of a run trains: the policy, with or without a critic, or a model of rewards. */
export type TrainedSpecs = NetSpecs | { readonly rewardModel: JudgeSpecs }

/** The nets of reinforcement with a tensor at each leaf. */
export interface Nets {
  readonly policy: DecoderParameters
  readonly critic?: JudgeParameters
}
