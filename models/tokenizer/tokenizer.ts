import * as tokenizers from '@huggingface/tokenizers'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { z } from 'zod'
import { parseJson } from '../json.js'
import type { TokenizerError } from './error.js'

/** Texts as ids and back. */
export interface Tokenizer {
  /** How many ids it knows: a model's vocabulary has as many at least. */
  readonly ids: number
  readonly idOf: (token: string) => number | undefined
  /** The ids of a text; with those that begin and end a sequence, where the file says so and it is asked for. */
  readonly encode: (text: string, options?: { readonly addSpecial: boolean }) => E.Either<TokenizerError, readonly number[]>
  /** The text of ids; without tokens such as an end of sequence, where that is asked for. */
  readonly decode: (ids: readonly number[], options?: { readonly skipSpecial: boolean }) => E.Either<TokenizerError, string>
}

interface Reader {
  readonly encode: (text: string, options: { readonly add_special_tokens: boolean }) => { readonly ids: readonly unknown[] }
  readonly decode: (ids: number[], options: { readonly skip_special_tokens: boolean }) => string
  readonly id_to_token: (id: number) => string | undefined
  readonly token_to_id: (token: string) => number | undefined
}

// The declarations of the package import each other without extension, which does not resolve here.
const { Tokenizer } = tokenizers as unknown as { readonly Tokenizer: new (file: object, config: object) => Reader }

/** A reader may make a list as long as the greatest id. */
const id = z
  .int()
  .nonnegative()
  .max(2 ** 22)

const file = z.looseObject({
  added_tokens: z.array(z.looseObject({ id, content: z.string().nonempty() })).optional(),
  model: z.union([
    z.looseObject({ type: z.enum(['BPE', 'WordPiece', 'WordLevel']).optional(), vocab: z.record(z.string(), id) }),
    z.looseObject({ type: z.literal('Unigram'), vocab: z.array(z.tuple([z.string(), z.number()])) }),
  ]),
})

const config = z.looseObject({})

type File = z.infer<typeof file>

const idCount = ({ model, added_tokens = [] }: File): number => {
  const ids = Array.isArray(model.vocab) ? model.vocab.map((_, i) => i) : Object.values(model.vocab)
  return new Set([...ids, ...added_tokens.map((token) => token.id)]).size
}

const isId = (x: unknown): x is number => typeof x === 'number' && Number.isInteger(x) && x >= 0

const tokenizerOf = (reader: Reader, ids: number): Tokenizer => ({
  ids,
  idOf: (token) => reader.token_to_id(token),
  encode: (text, { addSpecial } = { addSpecial: true }) =>
    pipe(
      E.tryCatch(
        () => reader.encode(text, { add_special_tokens: addSpecial }).ids,
        (because): TokenizerError => ({ tag: 'notEncoded', text, because: String(because) }),
      ),
      E.chain((made) =>
        made.every(isId) ? E.right(made) : E.left({ tag: 'notEncoded', text, because: 'a part of it is no token of the vocabulary' }),
      ),
    ),
  decode: (given, { skipSpecial } = { skipSpecial: false }) => {
    const stray = given.find((id) => !isId(id) || reader.id_to_token(id) === undefined)
    if (stray !== undefined) return E.left({ tag: 'notDecoded', id: stray, ids })
    return given.length === 0 ? E.right('') : E.right(reader.decode([...given], { skip_special_tokens: skipSpecial }))
  },
})

/**
 * The tokenizer of a model from the texts of tokenizer.json and, where there is one, tokenizer_config.json, or all that is wrong with
 * them. Patterns of the file are run as they are: take files from whom you would take code that may take long.
 */
export const parseTokenizer = (tokenizerJson: string, configJson = '{}'): E.Either<readonly TokenizerError[], Tokenizer> =>
  pipe(
    E.Do,
    E.bind('file', () => parseJson('tokenizer.json', file)(tokenizerJson)),
    E.bind('config', () => parseJson('tokenizer_config.json', config)(configJson)),
    E.chain(({ file, config }) =>
      pipe(
        E.tryCatch(
          () => new Tokenizer(file, config),
          (because): readonly TokenizerError[] => [{ tag: 'notRead', file: 'tokenizer.json', because: String(because) }],
        ),
        E.map((reader) => tokenizerOf(reader, idCount(file))),
      ),
    ),
  )
