import { type AnySpec, countOf, isSpec, leaves, sizes } from '../../dsl/index.js'
import type { DecoderConfig } from '../config.js'
import { decoderSpecs, kinds, parameterName, type ParameterName } from '../parameters.js'

/** What Hugging Face calls each parameter: within its layer, or in the whole model. */
const names: { readonly [N in ParameterName]: string } = {
  embedding: 'model.embed_tokens.weight',
  attentionNorm: 'input_layernorm.weight',
  query: 'self_attn.q_proj.weight',
  key: 'self_attn.k_proj.weight',
  value: 'self_attn.v_proj.weight',
  queryBias: 'self_attn.q_proj.bias',
  keyBias: 'self_attn.k_proj.bias',
  valueBias: 'self_attn.v_proj.bias',
  queryHeadNorm: 'self_attn.q_norm.weight',
  keyHeadNorm: 'self_attn.k_norm.weight',
  output: 'self_attn.o_proj.weight',
  ffnNorm: 'post_attention_layernorm.weight',
  gate: 'mlp.gate_proj.weight',
  up: 'mlp.up_proj.weight',
  down: 'mlp.down_proj.weight',
  norm: 'model.norm.weight',
  unembedding: 'lm_head.weight',
}

/** A parameter as Hugging Face stores it. */
export interface StoredParameter {
  /** In our tree. */
  readonly path: string
  readonly tensor: string
  /** In the file. */
  readonly shape: readonly number[]
  /** In our tree. */
  readonly sizes: readonly number[]
  /** A projection lies in the file as [out, in], and in our tree as [in, out], with several axes for the one or the other. */
  readonly isTransposed: boolean
}

const layerOf = (path: string): string => {
  const [, layer] = /^layers\.(\d+)\./.exec(path) ?? []
  return layer === undefined ? '' : `model.layers.${layer}.`
}

const storedParameter = (path: string, { axes }: AnySpec): StoredParameter => {
  const name = parameterName(path)
  const kind = kinds[name]
  const own = axes.map(({ size }) => sizes.known(size) ?? 0)
  const over = kind.tag === 'weight' ? kind.over : []
  const isInput = axes.map((axis) => over.includes(axis.name))
  const [inputs, outputs] = [true, false].map((side) => countOf(own.filter((_, i) => isInput[i] === side))) as [number, number]
  const isTransposed = isInput[0] === true
  const shape = kind.tag === 'weight' ? [outputs, inputs] : [countOf(own)]
  return { path, tensor: layerOf(path) + names[name], shape, sizes: own, isTransposed }
}

/** Every parameter of a model as Hugging Face stores it, in the order of the tree. */
export const storedParameters = (config: DecoderConfig): readonly StoredParameter[] =>
  leaves(isSpec)(decoderSpecs(config)).map(({ path, value }) => storedParameter(path, value))

/** The matrix [rows, columns] as [columns, rows]. */
export const transposed = (matrix: ArrayLike<number>, rows: number, columns: number): Float32Array => {
  const turned = new Float32Array(rows * columns)
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) turned[column * rows + row] = matrix[row * columns + column]!
  return turned
}
