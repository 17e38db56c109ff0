import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { expect, test } from 'vitest'
import { random } from '../../../dsl/index.js'
import { parseTokenizer, renderTokenizerError } from '../../../models/index.js'
import { tokenizerJson } from '../../../tasks/index.js'
import { law } from '../../law.js'
import { right } from '../../right.js'

const words = JSON.stringify(tokenizerJson(['the', 'cat', 'sat', 'New York', '.']))

/** Bytes in pairs, with an end of sequence. */
const bpe = JSON.stringify({
  version: '1.0',
  added_tokens: [{ id: 9, content: '<end>', single_word: false, lstrip: false, rstrip: false, normalized: false, special: true }],
  normalizer: null,
  pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
  post_processor: null,
  decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
  model: {
    type: 'BPE',
    dropout: null,
    unk_token: null,
    fuse_unk: false,
    vocab: { l: 0, o: 1, w: 2, e: 3, r: 4, Ġ: 5, lo: 6, low: 7, er: 8 },
    merges: [
      ['l', 'o'],
      ['lo', 'w'],
      ['e', 'r'],
    ],
  },
})

test('merges are made in their order, and special tokens are found in the text and left out of it where that is asked', () => {
  const tokenizer = right(parseTokenizer(bpe))
  expect(tokenizer.ids).toBe(10)
  expect(tokenizer.idOf('<end>')).toBe(9)
  expect(tokenizer.encode('lower low<end>')).toEqual(E.right([7, 8, 5, 7, 9]))
  expect(tokenizer.decode([7, 8, 5, 7, 9])).toEqual(E.right('lower low<end>'))
  expect(tokenizer.decode([7, 8, 5, 7, 9], { skipSpecial: true })).toEqual(E.right('lower low'))
  expect(tokenizer.encode('')).toEqual(E.right([]))
  expect(tokenizer.decode([])).toEqual(E.right(''))
})

law(
  'what a vocabulary has tokens for comes back as it was',
  fc.property(fc.array(fc.constantFrom('the', 'cat', 'sat', 'New York', '.'), { maxLength: 8 }), (said) => {
    const { encode, decode } = right(parseTokenizer(words, '{"clean_up_tokenization_spaces": false}'))
    expect(decode(right(encode(said.join(' '))))).toEqual(E.right(said.join(' ')))
  }),
)

const saidOf = (made: E.Either<Parameters<typeof renderTokenizerError>[0], unknown>): string =>
  E.isLeft(made) ? renderTokenizerError(made.left) : ''

test('a word or an id that it does not have is an error', () => {
  const { encode, decode } = right(parseTokenizer(words))
  expect(encode('the dog')).toMatchObject(E.left({ tag: 'notEncoded', text: 'the dog' }))
  expect(decode([0, 5])).toEqual(E.left({ tag: 'notDecoded', id: 5, ids: 5 }))
  for (const id of [-1, 0.5, NaN]) expect(decode([id])).toMatchObject(E.left({ tag: 'notDecoded' }))
  expect(saidOf(decode([7]))).toBe(
    'the id 7\n  because: the tokenizer has no token for it; it has 5 ids\n  try: take the tokenizer of the model that wrote it',
  )
})

test.each([
  ['{', 'notJson', 'tokenizer.json'],
  ['{}', 'wrongField', "'model' of tokenizer.json"],
  ['{"model": {"type": "BPE", "vocab": {"a": -1}}}', 'wrongField', "'model"],
  ['{"model": {"type": "BPE", "vocab": {"a": 4294967295}}}', 'wrongField', "'model"],
  ['{"model": {"type": "Hashing", "vocab": {"a": 0}}}', 'wrongField', "'model"],
  ['{"model": {"type": "WordLevel", "vocab": {"a": 0}}, "normalizer": {"type": "Rot13"}}', 'notRead', 'tokenizer.json'],
])('a file that is none is an error: %s', (text, tag, where) => {
  const made = parseTokenizer(text)
  expect(made).toMatchObject(E.left([{ tag }]))
  expect(E.isLeft(made) && renderTokenizerError(made.left[0]!)).toContain(where)
})

const bytes = (text: string): readonly number[] => [...new TextEncoder().encode(text)]

/** A file with some bytes changed, cut or doubled. */
const mutated = (text: string, seed: number): string => {
  const key = random.key(seed)
  let made = bytes(text)
  for (let change = 0; change < 1 + random.integer(key, 0, 3); change++) {
    const at = random.integer(key, 3 * change + 1, made.length)
    const [kind, value] = [random.integer(key, 3 * change + 2, 3), random.integer(key, 3 * change + 3, 256)]
    const edits = [made.with(at, value), [...made.slice(0, at), ...made.slice(at + (value >> 4))], [...made.slice(0, at + (value >> 4)), ...made.slice(at)]] // prettier-ignore
    made = edits[kind]!.length === 0 ? made : edits[kind]!
  }
  return new TextDecoder().decode(Uint8Array.from(made))
}

law(
  'of a changed file comes a tokenizer or an error, and of a text then ids that it has or an error',
  fc.property(fc.constantFrom(words, bpe), fc.integer(), (text, seed) => {
    const made = parseTokenizer(mutated(text, seed))
    if (E.isLeft(made)) return made.left.length > 0 && made.left.every((error) => renderTokenizerError(error).split('\n').length >= 3)
    const ids = made.right.encode('the cat lower <end>')
    if (E.isRight(ids)) made.right.decode(ids.right)
    return true
  }),
  { runs: 1000 },
)
