import * as tokenizers from '@huggingface/tokenizers'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { expect, test } from 'vitest'
import { countdown, tokenizerJson, wordsOf } from '../../../tasks/index.js'
import { law } from '../../law.js'
import { anyWorld, bases, played } from './worlds.js'

interface Reader {
  readonly encode: (text: string) => { readonly ids: readonly number[] }
  readonly decode: (ids: number[]) => string
}

// The declarations of the package import each other without extension, which does not resolve here.
const { Tokenizer } = tokenizers as unknown as { readonly Tokenizer: new (file: object, config: object) => Reader }

/** What another reader of `tokenizer.json` makes of a text; the file goes through its own text first. */
const readerOf = (vocabulary: readonly string[]) =>
  new Tokenizer(JSON.parse(JSON.stringify(tokenizerJson(vocabulary))) as object, { clean_up_tokenization_spaces: false })

const readers = {
  countries: readerOf(bases.countries.vocabulary.vocabulary),
  elements: readerOf(bases.elements.vocabulary.vocabulary),
}

test('the longest name is taken, not the first', () => {
  const { encode, decode } = wordsOf(['Guinea', 'New', 'Papua New Guinea', 'Papua', 'New Guinea Highlands', ';'])
  expect(encode('Papua New Guinea ; New Guinea ;')).toEqual(E.right([2, 5, 1, 0, 5]))
  expect(encode('  New   Guinea Highlands')).toEqual(E.right([4]))
  expect(decode([2, 5, 7, -1])).toBe('Papua New Guinea ; <7> <-1>')
  expect(encode('')).toEqual(E.right([]))
})

test('a word outside the vocabulary is named with its place', () => {
  const { encode } = bases.countries.vocabulary
  expect(encode('capital of Atlantis')).toEqual(E.left({ tag: 'unknownWord', word: 'Atlantis', position: 2 }))
})

law(
  'what is read and said in an episode is encoded as it was decoded, by our reader and by that of tokenizer.json',
  fc.property(anyWorld(), ({ base, environment, split, seed }) => {
    const { encode, decode } = base.vocabulary
    const reader = readers[base === bases.countries ? 'countries' : 'elements']
    const states = played(environment, split, seed)
    const texts = [...states.slice(0, -1).map(environment.context), ...states.at(-1)!.turns.map(({ response }) => response)]
    for (const ids of texts) {
      expect(encode(decode(ids))).toEqual(E.right(ids))
      expect(reader.encode(decode(ids)).ids).toEqual(ids)
      expect(reader.decode([...ids])).toBe(decode(ids))
    }
  }),
  { runs: 40 },
)

test('every fact is encoded as its three words, by both readers', () => {
  for (const domain of ['countries', 'elements'] as const) {
    const { facts, vocabulary } = bases[domain]
    for (const { entity, relation, value } of facts) {
      const text = vocabulary.decode([entity, relation, value])
      expect(vocabulary.encode(text)).toEqual(E.right([entity, relation, value]))
      expect(readers[domain].encode(text).ids).toEqual([entity, relation, value])
    }
  }
})

test("Countdown's words make a tokenizer, too", () => {
  const ids = [3, 5, 7, countdown.vocabulary.indexOf('='), 26]
  expect(readerOf(countdown.vocabulary).encode(countdown.decode(ids)).ids).toEqual(ids)
})
