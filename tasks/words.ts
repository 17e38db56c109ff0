import * as E from 'fp-ts/lib/Either.js'

/** Why a text has no ids. */
export interface UnknownWord {
  readonly tag: 'unknownWord'
  readonly word: string
  /** Counted in pieces between spaces, from 0. */
  readonly position: number
}

/** A closed vocabulary: the words by their ids, some of which are names of several pieces (`Papua New Guinea`). */
export interface Words {
  readonly vocabulary: readonly string[]
  /** The id of a word of the vocabulary; undefined of any other. */
  readonly id: (word: string) => number | undefined
  /** The ids of a text whose words are parted by spaces; where several words begin at a place, the longest. */
  readonly encode: (text: string) => E.Either<UnknownWord, readonly number[]>
  /** The text of some ids, single-spaced. An id outside the vocabulary, as a model with a rounded-up vocabulary may emit, reads `<id>`. */
  readonly decode: (ids: readonly number[]) => string
}

const pieces = (text: string): readonly string[] => text.split(' ').filter((piece) => piece !== '')

/** The words of a vocabulary, whose ids are their places in the list. */
export const wordsOf = (vocabulary: readonly string[]): Words => {
  const ids = new Map(vocabulary.map((word, id) => [word, id]))
  const longest = Math.max(0, ...vocabulary.map((word) => pieces(word).length))

  /** The id of the longest word that begins at a place, and how many pieces it takes. */
  const wordAt = (text: readonly string[], at: number): readonly [id: number, taken: number] | undefined => {
    for (let taken = Math.min(longest, text.length - at); taken > 0; taken--) {
      const id = ids.get(text.slice(at, at + taken).join(' '))
      if (id !== undefined) return [id, taken]
    }
    return undefined
  }

  return {
    vocabulary,
    id: (word) => ids.get(word),
    encode: (text) => {
      const read = pieces(text)
      const found: number[] = []
      for (let at = 0; at < read.length;) {
        const next = wordAt(read, at)
        if (next === undefined) return E.left({ tag: 'unknownWord', word: read[at] ?? '', position: at })
        found.push(next[0])
        at += next[1]
      }
      return E.right(found)
    },
    decode: (tokens) => tokens.map((id) => vocabulary[id] ?? `<${String(id)}>`).join(' '),
  }
}
