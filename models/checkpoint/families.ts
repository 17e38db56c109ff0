import type { DecoderConfig } from '../config.js'

export type FamilyName = 'llama' | 'qwen2' | 'qwen3' | 'minimind'

/** What a family of models leaves unsaid in config.json, and what all of its models have. */
export interface Family {
  /** Its class in Hugging Face's `architectures`. */
  readonly architecture: string
  readonly hasBias: boolean
  /** MiniMind has had them since its configs say `head_dim`. */
  readonly hasHeadNorm: boolean | 'with head_dim'
  readonly isTied: boolean
  readonly rotaryBase: number
  /** The size of a head, where config.json does not say it. */
  readonly headDim: 'embed / heads' | number
}

/** Sources: the configuration classes of `transformers`, and MiniMind's `model_minimind.py`. */
export const families: { readonly [F in FamilyName]: Family } = {
  llama: {
    architecture: 'LlamaForCausalLM',
    hasBias: false,
    hasHeadNorm: false,
    isTied: false,
    rotaryBase: 10_000,
    headDim: 'embed / heads',
  },
  qwen2: {
    architecture: 'Qwen2ForCausalLM',
    hasBias: true,
    hasHeadNorm: false,
    isTied: false,
    rotaryBase: 10_000,
    headDim: 'embed / heads',
  },
  qwen3: { architecture: 'Qwen3ForCausalLM', hasBias: false, hasHeadNorm: true, isTied: false, rotaryBase: 10_000, headDim: 128 },
  minimind: {
    architecture: 'MiniMindForCausalLM',
    hasBias: false,
    hasHeadNorm: 'with head_dim',
    isTied: true,
    rotaryBase: 1e6,
    headDim: 'embed / heads',
  },
}

export const familyNames = Object.keys(families) as readonly FamilyName[]

/** Whether a family's models can be of this config. */
export const fits = (name: FamilyName, { hasBias = false, hasHeadNorm = false }: DecoderConfig): boolean => {
  const family = families[name]
  return family.hasBias === hasBias && (family.hasHeadNorm === 'with head_dim' ? hasHeadNorm : family.hasHeadNorm === hasHeadNorm)
}
