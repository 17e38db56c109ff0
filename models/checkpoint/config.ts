import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { z } from 'zod'
import { type DecoderConfig, defaultNormEpsilon, defaultRotaryBase } from '../config.js'
import { parseJson } from '../json.js'
import type { CheckpointError, Errors } from './error.js'
import { families, type Family, type FamilyName, familyNames, fits } from './families.js'
import { unsupported } from './unsupported.js'

/** What config.json says of a model. */
export interface ModelCard {
  readonly family: FamilyName
  readonly config: DecoderConfig
  /** The ids that end an answer. */
  readonly stopIds: readonly number[]
}

/** Larger sizes than any model's are a mistake, and would be asked of the memory. */
const size = z
  .int()
  .min(1)
  .max(2 ** 31 - 1)
const id = z.int32().nonnegative()
const positive = z.number().positive()

const schema = z.looseObject({
  model_type: z.string().nullish(),
  architectures: z.array(z.string()).nullish(),
  vocab_size: size,
  hidden_size: size,
  num_hidden_layers: z.int().min(1).max(10_000),
  num_attention_heads: size,
  num_key_value_heads: size.nullish(),
  head_dim: size.nullish(),
  intermediate_size: size,
  rope_theta: positive.nullish(),
  rope_parameters: z.looseObject({ rope_theta: positive.nullish() }).nullish(),
  rms_norm_eps: positive.nullish(),
  tie_word_embeddings: z.boolean().nullish(),
  eos_token_id: z.union([id, z.array(id)]).nullish(),
})

type Json = z.infer<typeof schema>

const file = 'config.json'

const wrong = (path: string, because: string): CheckpointError => ({ tag: 'wrongField', file, path, because })

const familyOf = ({ model_type, architectures }: Json): E.Either<Errors, FamilyName> => {
  const found = familyNames.find((name) => name === model_type || architectures?.includes(families[name].architecture) === true)
  const known = familyNames.map((name) => families[name].architecture)
  const architecture = architectures?.[0] ?? model_type ?? 'none'
  return found === undefined ? E.left([{ tag: 'unknownArchitecture', architecture, known }]) : E.right(found)
}

/** The sizes of the heads, which config.json may leave to others. */
const headsOf = (json: Json, { headDim }: Family) => ({
  heads: json.num_attention_heads,
  keyHeads: json.num_key_value_heads ?? json.num_attention_heads,
  headDim: json.head_dim ?? (headDim === 'embed / heads' ? json.hidden_size / json.num_attention_heads : headDim),
})

const misfits = ({ heads, keyHeads = heads, headDim }: DecoderConfig): readonly CheckpointError[] => [
  ...(heads % keyHeads === 0 ? [] : [wrong('num_key_value_heads', `${String(keyHeads)} key heads do not divide ${String(heads)} heads`)]),
  ...(headDim % 2 === 0 ? [] : [wrong('head_dim', `a head of ${String(headDim)} numbers has no halves to turn`)]),
]

const configOf = (json: Json, family: Family): DecoderConfig => ({
  vocab: json.vocab_size,
  embed: json.hidden_size,
  layers: json.num_hidden_layers,
  ...headsOf(json, family),
  ffn: json.intermediate_size,
  rotaryBase: json.rope_parameters?.rope_theta ?? json.rope_theta ?? family.rotaryBase,
  normEpsilon: json.rms_norm_eps ?? 1e-6,
  isTied: json.tie_word_embeddings ?? family.isTied,
  hasBias: family.hasBias,
  hasHeadNorm: family.hasHeadNorm === 'with head_dim' ? typeof json.head_dim === 'number' : family.hasHeadNorm,
})

/** A model from the text of its config.json, or all that is wrong with it. */
export const parseConfig = (text: string): E.Either<Errors, ModelCard> =>
  pipe(
    parseJson(file, schema)(text),
    E.bindTo('json'),
    E.bind('family', ({ json }) => familyOf(json)),
    E.let('config', ({ json, family }) => configOf(json, families[family])),
    E.chain(({ json, family, config }) => {
      const [first, ...others] = [...unsupported(json), ...misfits(config)]
      const stops = json.eos_token_id ?? []
      const stopIds = typeof stops === 'number' ? [stops] : stops
      return first === undefined ? E.right({ family, config, stopIds }) : E.left<Errors>([first, ...others])
    }),
  )

/** The family that a config is written as, if none is said. A config with both biases and norms of heads has none. */
export const familyFor = (config: DecoderConfig): E.Either<Errors, FamilyName> =>
  pipe(
    familyNames.find((name) => fits(name, config)),
    E.fromNullable<Errors>([
      { tag: 'unsupported', field: 'hasHeadNorm', value: 'true beside hasBias', takes: 'true in a model without biases, as Qwen3 is' },
    ]),
  )

/** The text of a config.json, as `parseConfig` and Hugging Face read it. */
export const printConfig = ({ family, config, stopIds }: ModelCard): string => {
  const { heads, keyHeads = heads, rotaryBase = defaultRotaryBase, normEpsilon = defaultNormEpsilon, isTied = true } = config
  const json = {
    architectures: [families[family].architecture],
    model_type: family,
    vocab_size: config.vocab,
    hidden_size: config.embed,
    intermediate_size: config.ffn,
    num_hidden_layers: config.layers,
    num_attention_heads: heads,
    num_key_value_heads: keyHeads,
    head_dim: config.headDim,
    hidden_act: 'silu',
    rope_theta: rotaryBase,
    rope_scaling: null,
    rms_norm_eps: normEpsilon,
    tie_word_embeddings: isTied,
    eos_token_id: stopIds,
    torch_dtype: 'float32',
  }
  return `${JSON.stringify(json, null, 2)}\n`
}
