import type { CheckpointError } from './error.js'

type Json = Readonly<Record<string, unknown>>

const isUnset = (value: unknown): boolean => value === undefined || value === null || value === false

/** Rotary positions as they come: whatever stretches them has another kind. */
const isPlainRotary = (scaling: unknown): boolean => {
  if (isUnset(scaling)) return true
  if (typeof scaling !== 'object' || scaling === null) return false
  const { rope_type, type = rope_type ?? 'default' } = scaling as Json
  return type === 'default'
}

const isFull = (types: unknown): boolean => isUnset(types) || (Array.isArray(types) && types.every((type) => type === 'full_attention'))

interface Setting {
  /** What it can be, for people. */
  readonly takes: string
  readonly allows: (value: unknown, json: Json) => boolean
}

const off: Setting = { takes: 'false, or left out', allows: isUnset }
const rotary: Setting = { takes: "null, or of the type 'default'", allows: isPlainRotary }

/** Settings that change what a model computes, in ways that are not done here. */
const settings: Readonly<Record<string, Setting>> = {
  hidden_act: { takes: "'silu'", allows: (value) => value === undefined || value === 'silu' || value === 'swish' },
  rope_scaling: rotary,
  rope_parameters: rotary,
  inference_rope_scaling: off,
  partial_rotary_factor: { takes: '1', allows: (value) => isUnset(value) || value === 1 },
  use_sliding_window: off,
  sliding_window: {
    takes: 'null, or any number where use_sliding_window is false',
    allows: (value, json) => isUnset(value) || json['use_sliding_window'] === false,
  },
  layer_types: { takes: "'full_attention' for every layer", allows: isFull },
  attention_bias: off,
  mlp_bias: off,
  use_moe: off,
  quantization_config: { takes: 'left out', allows: isUnset },
}

/** What config.json asks for and cannot have. */
export const unsupported = (json: Json): readonly CheckpointError[] =>
  Object.entries(settings).flatMap(([field, { takes, allows }]): readonly CheckpointError[] =>
    allows(json[field], json) ? [] : [{ tag: 'unsupported', field, value: JSON.stringify(json[field]), takes }],
  )
