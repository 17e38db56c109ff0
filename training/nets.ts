import type { DecoderParameters, DecoderSpecs, JudgeParameters, JudgeSpecs } from '../models/index.js'

/** What is trained: a policy, and a critic where the loss asks for one. */
export type NetSpecs = { readonly policy: DecoderSpecs; readonly critic: JudgeSpecs } | { readonly policy: DecoderSpecs }

/** The same with a tensor at each leaf. */
export interface Nets {
  readonly policy: DecoderParameters
  readonly critic?: JudgeParameters
}
