import { pipe } from 'fp-ts/lib/function.js'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { DecoderConfig } from '../config.js'
import { parseTokenizer, type Tokenizer } from '../tokenizer/tokenizer.js'
import type { CheckpointError, Errors } from './error.js'
import { bytesOf, text } from './files.js'

const file = 'tokenizer.json'

const parsed = (tokenizerJson: string, configJson: string | undefined): E.Either<Errors, Tokenizer> =>
  pipe(
    parseTokenizer(tokenizerJson, configJson),
    E.mapLeft((errors): Errors => {
      const [first, ...others] = errors.map((error): CheckpointError => ({ tag: 'badTokenizer', error }))
      return [first ?? { tag: 'unreadable', file, because: 'it is no tokenizer' }, ...others]
    }),
  )

const fitting =
  ({ vocab }: DecoderConfig) =>
  (tokenizer: Tokenizer): E.Either<Errors, Tokenizer> =>
    tokenizer.ids <= vocab ? E.right(tokenizer) : E.left([{ tag: 'moreIds', ids: tokenizer.ids, vocab }])

/** The tokenizer of a model's folder; undefined where there is none. */
export const tokenizerIn = (folder: string, config: DecoderConfig): TE.TaskEither<Errors, Tokenizer | undefined> =>
  pipe(
    TE.Do,
    TE.bind('tokenizer', () => bytesOf(folder, file)),
    TE.bind('special', () => bytesOf(folder, 'tokenizer_config.json')),
    TE.chainEitherK(({ tokenizer, special }) =>
      tokenizer === undefined ? E.right(undefined) : pipe(parsed(text(tokenizer), special && text(special)), E.flatMap(fitting(config))),
    ),
  )
