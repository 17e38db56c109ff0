import { type Json, type Peculiar, weight, type Weights } from './hugging-face.js'

/** A model of a family: its config.json as the family's tools write it, and its tensors. */
export interface Example {
  readonly json: Json
  readonly peculiar: Peculiar
  readonly weights: Weights
  readonly isTied: boolean
  readonly dtype: 'F32' | 'F16' | 'BF16'
}

interface Shape {
  readonly layers: number
  readonly embed: number
  readonly vocab: number
  readonly query: number
  readonly keyValue: number
  readonly ffn: number
}

const layer = (i: number, { embed, query, keyValue, ffn }: Shape): Weights => {
  const at = `model.layers.${String(i)}.`
  return {
    [`${at}self_attn.q_proj.weight`]: weight(10 * i + 1, query, embed),
    [`${at}self_attn.k_proj.weight`]: weight(10 * i + 2, keyValue, embed),
    [`${at}self_attn.v_proj.weight`]: weight(10 * i + 3, keyValue, embed),
    [`${at}self_attn.o_proj.weight`]: weight(10 * i + 4, embed, query),
    [`${at}mlp.gate_proj.weight`]: weight(10 * i + 5, ffn, embed),
    [`${at}mlp.up_proj.weight`]: weight(10 * i + 6, ffn, embed),
    [`${at}mlp.down_proj.weight`]: weight(10 * i + 7, embed, ffn),
    [`${at}input_layernorm.weight`]: weight(10 * i + 8, embed),
    [`${at}post_attention_layernorm.weight`]: weight(10 * i + 9, embed),
  }
}

const biases = (i: number, { query, keyValue }: Shape): Weights => ({
  [`model.layers.${String(i)}.self_attn.q_proj.bias`]: weight(100 + i, query),
  [`model.layers.${String(i)}.self_attn.k_proj.bias`]: weight(200 + i, keyValue),
  [`model.layers.${String(i)}.self_attn.v_proj.bias`]: weight(300 + i, keyValue),
})

const headNorms = (i: number, headDim: number): Weights => ({
  [`model.layers.${String(i)}.self_attn.q_norm.weight`]: weight(400 + i, headDim),
  [`model.layers.${String(i)}.self_attn.k_norm.weight`]: weight(500 + i, headDim),
})

const ends = ({ vocab, embed }: Shape): Weights => ({
  'model.embed_tokens.weight': weight(601, vocab, embed),
  'model.norm.weight': weight(602, embed),
})

const of = (shape: Shape, more: (i: number) => Weights = () => ({})): Weights =>
  Object.assign(ends(shape), ...Array.from({ length: shape.layers }, (_, i) => ({ ...layer(i, shape), ...more(i) }))) as Weights

const llama: Shape = { layers: 2, embed: 8, vocab: 11, query: 8, keyValue: 4, ffn: 6 }
const qwen2: Shape = { layers: 1, embed: 8, vocab: 9, query: 8, keyValue: 8, ffn: 5 }
const qwen3: Shape = { layers: 1, embed: 6, vocab: 9, query: 24, keyValue: 6, ffn: 5 }
const minimind: Shape = { layers: 1, embed: 8, vocab: 10, query: 8, keyValue: 4, ffn: 7 }

const sizesOf = ({ layers, embed, vocab, ffn }: Shape): Json => ({
  num_hidden_layers: layers,
  hidden_size: embed,
  vocab_size: vocab,
  intermediate_size: ffn,
  hidden_act: 'silu',
  max_position_embeddings: 2048,
})

export const examples: Readonly<Record<'llama' | 'qwen2' | 'qwen3' | 'minimind', Example>> = {
  llama: {
    json: {
      ...sizesOf(llama),
      architectures: ['LlamaForCausalLM'],
      model_type: 'llama',
      num_attention_heads: 4,
      num_key_value_heads: 2,
      attention_bias: false,
      mlp_bias: false,
      rms_norm_eps: 1e-5,
      rope_scaling: null,
      rope_theta: 500_000,
      tie_word_embeddings: false,
      eos_token_id: [7, 10],
    },
    peculiar: { headDim: 2, base: 500_000, epsilon: 1e-5 },
    weights: { ...of(llama), 'lm_head.weight': weight(603, llama.vocab, llama.embed) },
    isTied: false,
    dtype: 'F32',
  },
  qwen2: {
    json: {
      ...sizesOf(qwen2),
      architectures: ['Qwen2ForCausalLM'],
      model_type: 'qwen2',
      num_attention_heads: 2,
      num_key_value_heads: 2,
      rms_norm_eps: 1e-6,
      rope_theta: 1_000_000,
      sliding_window: 32768,
      max_window_layers: 21,
      use_sliding_window: false,
      tie_word_embeddings: true,
      eos_token_id: 8,
    },
    peculiar: { headDim: 4, base: 1_000_000, epsilon: 1e-6 },
    weights: of(qwen2, (i) => biases(i, qwen2)),
    isTied: true,
    dtype: 'BF16',
  },
  qwen3: {
    json: {
      ...sizesOf(qwen3),
      architectures: ['Qwen3ForCausalLM'],
      model_type: 'qwen3',
      num_attention_heads: 4,
      num_key_value_heads: 1,
      head_dim: 6,
      attention_bias: false,
      layer_types: ['full_attention'],
      rms_norm_eps: 1e-6,
      rope_parameters: { rope_theta: 10_000, rope_type: 'default' },
      use_sliding_window: false,
      sliding_window: null,
      tie_word_embeddings: true,
    },
    peculiar: { headDim: 6, base: 10_000, epsilon: 1e-6 },
    weights: of(qwen3, (i) => headNorms(i, 6)),
    isTied: true,
    dtype: 'F16',
  },
  minimind: {
    json: {
      ...sizesOf(minimind),
      architectures: ['MiniMindForCausalLM'],
      model_type: 'minimind',
      num_attention_heads: 4,
      num_key_value_heads: 2,
      head_dim: 2,
      dropout: 0.0,
      flash_attn: true,
      inference_rope_scaling: false,
      num_experts: 4,
      use_moe: false,
      rope_theta: 1_000_000.0,
      rms_norm_eps: 1e-6,
      eos_token_id: 2,
    },
    peculiar: { headDim: 2, base: 1_000_000, epsilon: 1e-6 },
    // MiniMind stores the tied matrix twice.
    weights: { ...of(minimind, (i) => headNorms(i, 2)), 'lm_head.weight': weight(601, minimind.vocab, minimind.embed) },
    isTied: true,
    dtype: 'F32',
  },
}
