import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { z } from 'zod'
import { parseJson } from '../json.js'
import type { DecoderSpecs, ValuesOf } from '../parameters.js'
import type { Tokenizer } from '../tokenizer/tokenizer.js'
import { readSafetensors, type Safetensors, type StoredTensor } from '../safetensors/read.js'
import { type ModelCard, parseConfig } from './config.js'
import type { Errors } from './error.js'
import { bytesOf, required, text } from './files.js'
import { parametersFrom } from './parameters.js'
import { tokenizerIn } from './tokenizer.js'

/** A model as a folder holds it. */
export interface StoredModel extends ModelCard {
  readonly parameters: ValuesOf<DecoderSpecs>
  /** Not there where the folder has no tokenizer.json. */
  readonly tokenizer?: Tokenizer
}

const safetensors = (folder: string, file: string): TE.TaskEither<Errors, Safetensors> =>
  pipe(
    required(folder, file),
    TE.chainEitherK((bytes) =>
      pipe(
        readSafetensors(bytes),
        E.mapLeft((error): Errors => [{ tag: 'notSafetensors', file: join(folder, file), error }]),
      ),
    ),
  )

const indexFile = 'model.safetensors.index.json'

/** A file beside the index, and nowhere else. */
const shard = z.string().regex(/^[\w.-]+\.safetensors$/, 'a shard is named by a file of the same folder that ends in .safetensors')
const parseIndex = parseJson(indexFile, z.looseObject({ weight_map: z.record(z.string(), shard) }))

type Tensors = ReadonlyMap<string, StoredTensor>

const picked = (weightMap: Readonly<Record<string, string>>, files: ReadonlyMap<string, Safetensors>): E.Either<Errors, Tensors> => {
  const found = Object.entries(weightMap).map(([tensor, file]) => [tensor, files.get(file)?.tensors.get(tensor)] as const)
  const [first, ...others] = found.flatMap(([tensor, stored]) => (stored === undefined ? [{ tag: 'missingTensor', tensor } as const] : []))
  if (first !== undefined) return E.left([first, ...others])
  return E.right(new Map(found.flatMap(([tensor, stored]) => (stored === undefined ? [] : [[tensor, stored]]))))
}

/** The tensors that an index lists, each from its shard. */
const sharded = (folder: string, index: string): TE.TaskEither<Errors, Tensors> =>
  pipe(
    TE.fromEither(parseIndex(index)),
    TE.chain(({ weight_map }) =>
      pipe(
        [...new Set(Object.values(weight_map))],
        TE.traverseSeqArray((file) =>
          pipe(
            safetensors(folder, file),
            TE.map((read) => [file, read] as const),
          ),
        ),
        TE.chainEitherK((files) => picked(weight_map, new Map(files))),
      ),
    ),
  )

const tensorsIn = (folder: string): TE.TaskEither<Errors, Tensors> =>
  pipe(
    bytesOf(folder, indexFile),
    TE.chain((index) =>
      index === undefined
        ? pipe(
            safetensors(folder, 'model.safetensors'),
            TE.map(({ tensors }) => tensors),
          )
        : sharded(folder, text(index)),
    ),
  )

/**
 * A model from a folder of Hugging Face's layout: config.json; model.safetensors, or the shards of model.safetensors.index.json; and its
 * tokenizer, where there is a tokenizer.json.
 */
export const readModel = (folder: string): TE.TaskEither<Errors, StoredModel> =>
  pipe(
    required(folder, 'config.json'),
    TE.chainEitherK((bytes) => parseConfig(text(bytes))),
    TE.bindTo('card'),
    TE.bind('tensors', () => tensorsIn(folder)),
    TE.bind('tokenizer', ({ card }) => tokenizerIn(folder, card.config)),
    TE.chainEitherK(({ card, tensors, tokenizer }) =>
      pipe(
        parametersFrom(card.config, tensors),
        E.map((parameters) => ({ ...card, parameters, ...(tokenizer && { tokenizer }) })),
      ),
    ),
  )
