import * as E from 'fp-ts/lib/Either.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseConfig, parametersFrom, renderCheckpointError } from '../../../models/index.js'
import { law } from '../../law.js'
import { right } from '../../right.js'
import { examples } from './families.js'
import type { Json } from './hugging-face.js'

const { llama, qwen2, qwen3, minimind } = examples
const configOf = (json: Json) => right(parseConfig(JSON.stringify(json))).config

const without = (json: Json, ...names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)))

test('what config.json leaves out is what its family leaves out', () => {
  const left = ['rope_theta', 'rope_parameters', 'rms_norm_eps', 'tie_word_embeddings', 'num_key_value_heads', 'head_dim']
  const common = { keyHeads: 4, normEpsilon: 1e-6 }
  expect(configOf(without(llama.json, ...left))).toMatchObject({ ...common, headDim: 2, rotaryBase: 10_000, isTied: false })
  expect(configOf(without(qwen2.json, ...left))).toMatchObject({ keyHeads: 2, headDim: 4, rotaryBase: 10_000, isTied: false })
  expect(configOf(without(qwen3.json, ...left))).toMatchObject({ ...common, headDim: 128, rotaryBase: 10_000, isTied: false })
  expect(configOf(without(minimind.json, ...left))).toMatchObject({ ...common, headDim: 2, rotaryBase: 1e6, isTied: true })
})

test('MiniMind has norms of heads since its configs say how large a head is', () => {
  expect(configOf(minimind.json)).toMatchObject({ hasHeadNorm: true })
  expect(configOf(without(minimind.json, 'head_dim'))).toMatchObject({ hasHeadNorm: false })
})

test('the architecture alone says the family, too', () => {
  expect(right(parseConfig(JSON.stringify(without(qwen2.json, 'model_type')))).family).toBe('qwen2')
  expect(right(parseConfig(JSON.stringify(without(qwen2.json, 'architectures')))).family).toBe('qwen2')
})

describe('what cannot be done is refused by name', () => {
  test.each([
    ['another architecture', { architectures: ['GPT2LMHeadModel'], model_type: 'gpt2' }, [{ tag: 'unknownArchitecture', architecture: 'GPT2LMHeadModel' }]],
    ['no architecture', { architectures: undefined, model_type: undefined }, [{ tag: 'unknownArchitecture', architecture: 'none' }]],
    ['experts', { model_type: 'qwen3_moe', architectures: ['Qwen3MoeForCausalLM'] }, [{ tag: 'unknownArchitecture' }]],
    ['experts of MiniMind', { use_moe: true }, [{ tag: 'unsupported', field: 'use_moe', value: 'true' }]],
    ['stretched positions', { rope_scaling: { rope_type: 'llama3', factor: 8 } }, [{ tag: 'unsupported', field: 'rope_scaling' }]],
    ['stretched positions, by the older word', { rope_scaling: { type: 'yarn', factor: 8 } }, [{ tag: 'unsupported', field: 'rope_scaling' }]],
    ['stretched positions, by the newer', { rope_parameters: { rope_type: 'yarn' } }, [{ tag: 'unsupported', field: 'rope_parameters' }]],
    ['stretched positions of MiniMind', { inference_rope_scaling: true }, [{ tag: 'unsupported', field: 'inference_rope_scaling' }]],
    ['positions of half a head', { partial_rotary_factor: 0.5 }, [{ tag: 'unsupported', field: 'partial_rotary_factor' }]],
    ['sliding windows', { use_sliding_window: true, sliding_window: 4096 }, [{ tag: 'unsupported', field: 'use_sliding_window' }, { tag: 'unsupported', field: 'sliding_window' }]],
    ['sliding windows in some layers', { layer_types: ['full_attention', 'sliding_attention'] }, [{ tag: 'unsupported', field: 'layer_types' }]],
    ['biases of all projections', { attention_bias: true }, [{ tag: 'unsupported', field: 'attention_bias' }]],
    ['biases of the feed-forward part', { mlp_bias: true }, [{ tag: 'unsupported', field: 'mlp_bias' }]],
    ['another activation', { hidden_act: 'gelu' }, [{ tag: 'unsupported', field: 'hidden_act', value: '"gelu"' }]],
    ['quantised weights', { quantization_config: { bits: 4 } }, [{ tag: 'unsupported', field: 'quantization_config' }]],
    ['heads that do not share evenly', { num_key_value_heads: 3 }, [{ tag: 'wrongField', path: 'num_key_value_heads' }]],
    ['a head without halves', { head_dim: 3 }, [{ tag: 'wrongField', path: 'head_dim' }]],
    ['heads that do not divide the stream', { head_dim: null, num_attention_heads: 6, num_key_value_heads: 6 }, [{ tag: 'wrongField', path: 'head_dim' }]],
    ['no layers', { num_hidden_layers: 0 }, [{ tag: 'wrongField', path: 'num_hidden_layers' }]],
    ['a size as text', { hidden_size: '8' }, [{ tag: 'wrongField', path: 'hidden_size' }]],
    ['two mistakes', { vocab_size: -1, rope_theta: 0 }, [{ path: 'vocab_size' }, { path: 'rope_theta' }]],
    ['an end that is no id', { eos_token_id: [1, -1] }, [{ tag: 'wrongField' }]],
  ])('%s', (_what, changed, errors) => {
    const parsed = parseConfig(JSON.stringify({ ...llama.json, ...changed }))
    const found = E.isLeft(parsed) ? parsed.left : []
    expect(found).toMatchObject(errors)
    expect(found).toHaveLength(errors.length)
    for (const error of found) expect(renderCheckpointError(error)).toMatch(/^.+\n {2}because: .+\n {2}try: .+$/)
  })
}) // prettier-ignore

const texts = Object.values(examples).map(({ json }) => JSON.stringify(json))
const anyScrap = fc.constantFrom('', '0', '-1', '1e999', 'null', 'true', '"', '{', '}', '[]', '"llama"', '2147483647', ',')

/** A config with pieces of it replaced. */
const anyText = fc
  .tuple(fc.constantFrom(...texts), fc.array(fc.tuple(fc.nat(), fc.nat({ max: 12 }), anyScrap), { minLength: 1, maxLength: 3 }))
  .map(([text, cuts]) =>
    cuts.reduce((whole, [from, length, scrap]) => {
      const at = from % (whole.length + 1)
      return whole.slice(0, at) + scrap + whole.slice(at + length)
    }, text),
  )

law(
  'a changed config is refused with reasons, or is that of a model whose tensors are then missed',
  fc.property(anyText, (text) => {
    const parsed = parseConfig(text)
    const errors = E.isLeft(parsed) ? parsed.left : parametersFrom(parsed.right.config, new Map())
    const found = Array.isArray(errors) ? errors : E.isLeft(errors) ? errors.left : []
    expect(found.length).toBeGreaterThan(0)
    for (const error of found.slice(0, 20)) expect(renderCheckpointError(error)).toMatch(/^[^]+\n {2}because: [^]+\n {2}try: .+$/)
  }),
  { runs: 2000 },
)
