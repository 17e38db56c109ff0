import { contract, f32, type Tensor, type TensorsOf, type Value } from '../dsl/index.js'
import { type DecoderConfig, type DecoderParameters, type DecoderSpecs, decoderSpecs, logits, type ValuesOf } from '../models/index.js'

type Ids = Tensor<'batch' | 'time', 'i32'>

/** The parameters of a decoder that says one number at each place in place of a distribution: a critic, or a model of rewards. */
export const judgeSpecs = (config: DecoderConfig) => ({ trunk: decoderSpecs(config), head: f32({ vocab: config.vocab }) })

export type JudgeSpecs = ReturnType<typeof judgeSpecs>

/** A number for each place, from the ids up to and at it. Gradient: into every leaf of `params`. */
export const judgements =
  (config: DecoderConfig) =>
  ({ trunk, head }: TensorsOf<JudgeSpecs>, ids: Ids): Tensor<'batch' | 'time'> =>
    contract('vocab')(logits(config)(trunk, ids), head)

/** A judge with the trunk of a policy, which says 0 everywhere until it has learnt. */
export const newJudge = (config: DecoderConfig, trunk: ValuesOf<DecoderSpecs>): ValuesOf<JudgeSpecs> => {
  const head: Value = { sizes: [config.vocab], data: new Float32Array(config.vocab) }
  return { trunk, head }
}

/** What is trained: a policy, and a critic where the loss asks for one. */
export type NetSpecs = { readonly policy: DecoderSpecs; readonly critic: JudgeSpecs } | { readonly policy: DecoderSpecs }

/** The same with a tensor at each leaf. */
export interface Nets {
  readonly policy: DecoderParameters
  readonly critic?: TensorsOf<JudgeSpecs>
}
