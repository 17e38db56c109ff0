import { pipe } from 'fp-ts/lib/function.js'
import { contract, f32, gather, type Spec, type Tensor, type TensorsOf, type Value } from '../dsl/index.js'
import type { DecoderConfig } from './config.js'
import { states } from './decoder.js'
import { type DecoderSpecs, decoderSpecs, type ValuesOf } from './parameters.js'
import type { Ids } from './tensors.js'

/** A decoder that says one number in place of a distribution: its trunk, and the direction in the stream that is the number. */
export type JudgeSpecs = { readonly trunk: DecoderSpecs; readonly head: Spec<'embed', 'f32'> }

export type JudgeParameters = TensorsOf<JudgeSpecs>

/** The trunk has no output matrix of its own: nothing would be learnt in it. */
export const judgeSpecs = (config: DecoderConfig): JudgeSpecs => ({
  trunk: decoderSpecs({ ...config, isTied: true }),
  head: f32({ embed: config.embed }),
})

/** A judge with the trunk of a policy, which says 0 of everything until it has learnt. */
export const newJudge = (config: DecoderConfig, { embedding, layers, norm }: ValuesOf<DecoderSpecs>): ValuesOf<JudgeSpecs> => {
  const head: Value = { sizes: [config.embed], data: new Float32Array(config.embed) }
  return { trunk: { embedding, layers, norm }, head }
}

/**
 * A critic: a number for each position, from the ids up to and at it alone.
 *
 *   Vₜ = head · hₜ, h the trunk's normalised stream
 *
 * Gradient: into every leaf of `params`.
 */
export const positionValues =
  (config: DecoderConfig) =>
  ({ trunk, head }: JudgeParameters, ids: Ids): Tensor<'batch' | 'time'> =>
    contract('embed')(states(config)(trunk, ids), head)

/**
 * A model of rewards: a number for each sequence, that at its last token, whose place `lasts` says; padding behind it is not looked at.
 * Gradient: into every leaf of `params`.
 */
export const sequenceScores =
  (config: DecoderConfig) =>
  (params: JudgeParameters, ids: Ids, lasts: Tensor<'batch', 'i32'>): Tensor<'batch'> =>
    pipe(positionValues(config)(params, ids), gather('time')(lasts))
