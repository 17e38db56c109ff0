import { i32, type Tensor, type TensorsOf, type Value } from '../../dsl/index.js'
import { type DecoderConfig, type JudgeParameters, sequenceScores } from '../../models/index.js'
import type { PackedSequence } from '../packed.js'
import { int32Rows } from '../sequences.js'

/** Sequences as a model of rewards reads them: all their ids, padded behind, and the place of the last. */
export const wholeSpecs = { tokens: i32('batch', 'time'), lasts: i32('batch') }

/** What a model finds sequences worth. Gradient: into every leaf of `params`. */
export const scores =
  (config: DecoderConfig) =>
  (params: JudgeParameters, { tokens, lasts }: TensorsOf<typeof wholeSpecs>): Tensor<'batch'> =>
    sequenceScores(config)(params, tokens, lasts)

type Whole = Pick<PackedSequence, 'prompt' | 'answer'>

export const lengthOf = ({ prompt, answer }: Whole): number => prompt.length + answer.length

/** Values for `wholeSpecs`, so many tokens wide. */
export const wholeValues = (
  sequences: readonly Whole[],
  { padId, width }: { readonly padId: number; readonly width: number },
): Readonly<Record<keyof typeof wholeSpecs, Value>> => ({
  tokens: int32Rows(
    sequences.map(({ prompt, answer }) => {
      const ids = [...prompt, ...answer]
      return Array.from({ length: width }, (_, place) => ids[place] ?? padId)
    }),
  ),
  lasts: { sizes: [sequences.length], data: Int32Array.from(sequences, (whole) => lengthOf(whole) - 1) },
})
