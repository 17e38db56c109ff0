/** A word that is looked for in the text before it is split at spaces. */
interface AddedToken {
  readonly id: number
  readonly content: string
  readonly single_word: false
  readonly lstrip: false
  readonly rstrip: false
  readonly normalized: false
  readonly special: false
}

/** The file `tokenizer.json` of a WordLevel model, as Hugging Face's tokenizers read it. */
export interface TokenizerJson {
  readonly version: '1.0'
  readonly truncation: null
  readonly padding: null
  readonly added_tokens: readonly AddedToken[]
  readonly normalizer: null
  readonly pre_tokenizer: { readonly type: 'WhitespaceSplit' }
  readonly post_processor: null
  readonly decoder: null
  readonly model: { readonly type: 'WordLevel'; readonly vocab: Readonly<Record<string, number>>; readonly unk_token: '<unk>' }
}

/**
 * The tokenizer of a closed vocabulary. A word with a space in it is an added token, which is what makes a reader take the longest name
 * before it splits at spaces. There is no unknown word: a text with one is a mistake, not a text.
 */
export const tokenizerJson = (vocabulary: readonly string[]): TokenizerJson => ({
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: vocabulary.flatMap((content, id) =>
    content.includes(' ') ? [{ id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: false }] : [],
  ),
  normalizer: null,
  pre_tokenizer: { type: 'WhitespaceSplit' },
  post_processor: null,
  decoder: null,
  model: { type: 'WordLevel', vocab: Object.fromEntries(vocabulary.map((word, id) => [word, id])), unk_token: '<unk>' },
})
