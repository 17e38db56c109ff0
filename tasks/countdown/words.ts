import * as E from 'fp-ts/lib/Either.js'
import { type Operator, operators } from './arithmetic.js'

/** Why a text has no ids. */
export interface UnknownWord {
  readonly tag: 'unknownWord'
  readonly word: string
  /** Counted in words, from 0. */
  readonly position: number
}

const numerals = Array.from({ length: 100 }, (_, n) => n)

/** All 107 words by their ids. The id of a number from 0 to 99 is that number. */
export const vocabulary: readonly string[] = [...numerals.map(String), ...operators, '=', ':', '.', '<pad>']
const ids: ReadonlyMap<string, number> = new Map(vocabulary.map((word, id) => [word, id]))

export const operatorIds: { readonly [O in Operator]: number } = { '+': 100, '-': 101, '*': 102 }
export const equalsId = 103
export const colonId = 104
/** The id of `.`, at which an answer ends: the stop token of a rollout. */
export const stopId = 105
/** The id of the padding after an answer. */
export const padId = 106

/** The ids of a text whose words are parted by spaces; the first word outside the vocabulary, if there is one. */
export const encode = (text: string): E.Either<UnknownWord, readonly number[]> => {
  const words = text.split(' ').filter((piece) => piece !== '')
  const found: number[] = []
  for (const [position, word] of words.entries()) {
    const id = ids.get(word)
    if (id === undefined) return E.left({ tag: 'unknownWord', word, position })
    found.push(id)
  }
  return E.right(found)
}

/** The text of some ids, single-spaced. An id outside the vocabulary, as a model with a rounded-up vocabulary may emit, reads `<id>`. */
export const decode = (tokens: readonly number[]): string => tokens.map((id) => vocabulary[id] ?? `<${id}>`).join(' ')
