import { report, type ThreeLines } from '../../dsl/index.js'
import type { JsonError } from '../json.js'

/** What is wrong with a tokenizer's files, or with what it is given. */
export type TokenizerError =
  | JsonError
  /** What the reader of the file does not know or cannot use. */
  | { readonly tag: 'notRead'; readonly file: string; readonly because: string }
  | { readonly tag: 'notEncoded'; readonly text: string; readonly because: string }
  | { readonly tag: 'notDecoded'; readonly id: number; readonly ids: number }
  | { readonly tag: 'notRendered'; readonly because: string }

const shown = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)

/** What and where, because, try. */
export const tokenizerErrorLines = (error: TokenizerError): ThreeLines => {
  switch (error.tag) {
    case 'notJson':
      return [error.file, error.because, 'copy the file again: it was cut or changed on its way']
    case 'wrongField':
      return [`'${error.path}' of ${error.file}`, error.because, 'compare it with the file that Hugging Face has for the model']
    case 'notRead':
      return [error.file, error.because, 'take the files of one model, as its tokenizer was saved']
    case 'notEncoded':
      return [shown(error.text), error.because, 'leave out what the vocabulary has no token for']
    case 'notDecoded':
      return [
        `the id ${String(error.id)}`,
        `the tokenizer has no token for it; it has ${String(error.ids)} ids`,
        'take the tokenizer of the model that wrote it',
      ]
    case 'notRendered':
      return ['the chat template', error.because, 'give the messages and variables that the template asks for']
  }
}

export const renderTokenizerError = (error: TokenizerError): string => report(...tokenizerErrorLines(error))
