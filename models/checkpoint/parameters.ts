import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { isSpec, leavesLike, mapTree, type Value } from '../../dsl/index.js'
import type { DecoderConfig } from '../config.js'
import { decoderSpecs, type DecoderSpecs, type ValuesOf } from '../parameters.js'
import { type StoredTensor, storedValue } from '../safetensors/read.js'
import type { CheckpointError, Errors } from './error.js'
import { type StoredParameter, storedParameters, transposed } from './names.js'

/** What older files hold besides the parameters: the output matrix of a tied model, which is not read, and frequencies that follow from the config. */
const isLeftOver = (config: DecoderConfig, tensor: string): boolean =>
  tensor.endsWith('rotary_emb.inv_freq') || (tensor === 'lm_head.weight' && config.isTied !== false)

const sameSizes = (a: readonly number[], b: readonly number[]): boolean => a.length === b.length && a.every((n, i) => n === b[i])

type Tensors = ReadonlyMap<string, StoredTensor>

const misplaced = (config: DecoderConfig, parameters: readonly StoredParameter[], tensors: Tensors): readonly CheckpointError[] => {
  const asked = new Set(parameters.map(({ tensor }) => tensor))
  const unexpected = [...tensors.keys()].filter((tensor) => !asked.has(tensor) && !isLeftOver(config, tensor))
  return [
    ...parameters.flatMap(({ tensor, shape: needs }): readonly CheckpointError[] => {
      const has = tensors.get(tensor)?.shape
      if (has === undefined) return [{ tag: 'missingTensor', tensor }]
      return sameSizes(has, needs) ? [] : [{ tag: 'wrongShape', tensor, has, needs }]
    }),
    ...unexpected.map((tensor): CheckpointError => ({ tag: 'unexpectedTensor', tensor })),
  ]
}

const notFinite = (tensor: string, { data }: Value): readonly CheckpointError[] => {
  const place = data.findIndex((x) => !Number.isFinite(x))
  return place < 0 ? [] : [{ tag: 'notFinite', tensor, place, value: data[place]! }]
}

const valueOf = ({ shape: [rows = 1, columns = 1], sizes, isTransposed }: StoredParameter, { data }: Value): Value => ({
  sizes,
  data: isTransposed ? transposed(data, rows, columns) : data,
})

const read = (parameters: readonly StoredParameter[], tensors: Tensors): E.Either<Errors, ReadonlyMap<string, Value>> => {
  const found = parameters.flatMap((parameter) => {
    const stored = tensors.get(parameter.tensor)
    return stored === undefined ? [] : [{ parameter, value: storedValue(stored) }]
  })
  const [first, ...others] = found.flatMap(({ parameter: { tensor }, value }) => notFinite(tensor, value))
  if (first !== undefined) return E.left([first, ...others])
  return E.right(new Map(found.map(({ parameter, value }) => [parameter.path, valueOf(parameter, value)])))
}

/**
 * A model's parameters from the tensors of its files, f32 whatever they are stored as; or all that is wrong with them. A norm or an embedding
 * stored as f32 shares the memory of the file, a projection is turned round.
 */
export const parametersFrom = (config: DecoderConfig, tensors: Tensors): E.Either<Errors, ValuesOf<DecoderSpecs>> => {
  const parameters = storedParameters(config)
  const [first, ...others] = misplaced(config, parameters, tensors)
  if (first !== undefined) return E.left([first, ...others])
  return pipe(
    read(parameters, tensors),
    E.map((values) => mapTree(isSpec)((_, path) => values.get(path))(decoderSpecs(config)) as ValuesOf<DecoderSpecs>),
  )
}

const isValue = (tree: unknown): tree is Value => typeof tree === 'object' && tree !== null && 'sizes' in tree && 'data' in tree

/** The tensors that hold a model's parameters, as `parametersFrom` and Hugging Face read them: what `writeSafetensors` is given. */
export const tensorsOf = (config: DecoderConfig, parameters: ValuesOf<DecoderSpecs>): ReadonlyMap<string, Value> => {
  const values = new Map(leavesLike(isSpec, isValue)(decoderSpecs(config), parameters).map(({ path, value }) => [path, value]))
  return new Map(
    storedParameters(config).flatMap(({ path, tensor, shape, isTransposed }) => {
      const [rows = 1, columns = 1] = shape
      const value = values.get(path)
      if (value === undefined) return []
      return [[tensor, { sizes: shape, data: isTransposed ? transposed(value.data, columns, rows) : value.data }] as const]
    }),
  )
}
