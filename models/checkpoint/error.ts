import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import { report, type ThreeLines } from '../../dsl/index.js'
import type { JsonError } from '../json.js'
import { safetensorsErrorLines, type SafetensorsError } from '../safetensors/error.js'
import { type TokenizerError, tokenizerErrorLines } from '../tokenizer/error.js'

/** What is wrong with a folder that should hold a model; files are named as they are in it. */
export type CheckpointError =
  | { readonly tag: 'unreadable'; readonly file: string; readonly because: string }
  | JsonError
  | { readonly tag: 'unknownArchitecture'; readonly architecture: string; readonly known: readonly string[] }
  /** What the model would need and is not done here. */
  | { readonly tag: 'unsupported'; readonly field: string; readonly value: string; readonly takes: string }
  | { readonly tag: 'notSafetensors'; readonly file: string; readonly error: SafetensorsError }
  | { readonly tag: 'badTokenizer'; readonly error: TokenizerError }
  /** A tokenizer that writes ids which the model has no embedding for. */
  | { readonly tag: 'moreIds'; readonly ids: number; readonly vocab: number }
  | { readonly tag: 'missingTensor'; readonly tensor: string }
  | { readonly tag: 'unexpectedTensor'; readonly tensor: string }
  | { readonly tag: 'wrongShape'; readonly tensor: string; readonly has: readonly number[]; readonly needs: readonly number[] }
  | { readonly tag: 'notFinite'; readonly tensor: string; readonly place: number; readonly value: number }

export type Errors = NonEmptyArray<CheckpointError>

const show = (shape: readonly number[]): string => `[${shape.join(', ')}]`

/** What and where, because, try. */
export const checkpointErrorLines = (error: CheckpointError): ThreeLines => {
  switch (error.tag) {
    case 'unreadable':
      return [error.file, error.because, 'see whether the folder is that of a model, with config.json and model.safetensors']
    case 'notJson':
      return [error.file, error.because, 'copy the file again: it was cut or changed on its way']
    case 'wrongField':
      return [`'${error.path}' of ${error.file}`, error.because, 'compare it with the config.json that Hugging Face has for the model']
    case 'unknownArchitecture':
      return [
        `architecture '${error.architecture}' of config.json`,
        `models of ${error.known.join(', ')} can be read`,
        'take a dense model of one of these families',
      ]
    case 'unsupported':
      return [`'${error.field}' of config.json is ${error.value}`, `it can be ${error.takes}`, 'take a model that does without it']
    case 'notSafetensors': {
      const [what, because, attempt] = safetensorsErrorLines(error.error)
      return [`${error.file}: ${what}`, because, attempt]
    }
    case 'badTokenizer':
      return tokenizerErrorLines(error.error)
    case 'moreIds':
      return [
        `tokenizer.json`,
        `it knows ${String(error.ids)} ids, and the model of config.json has ${String(error.vocab)}`,
        'take the tokenizer of the model',
      ]
    case 'missingTensor':
      return [
        `tensor '${error.tensor}'`,
        'no file has it',
        'see whether config.json and the tensors are of one model, and all shards are there',
      ]
    case 'unexpectedTensor':
      return [
        `tensor '${error.tensor}'`,
        'the model of config.json has no such parameter',
        'see whether config.json and the tensors are of one model',
      ]
    case 'wrongShape':
      return [
        `tensor '${error.tensor}'`,
        `its sizes are ${show(error.has)}, and config.json asks for ${show(error.needs)}`,
        'see whether config.json and the tensors are of one model',
      ]
    case 'notFinite':
      return [
        `tensor '${error.tensor}'`,
        `its number ${String(error.place)} is ${String(error.value)}`,
        'take an earlier checkpoint: one of such weights makes every logit NaN',
      ]
  }
}

export const renderCheckpointError = (error: CheckpointError): string => report(...checkpointErrorLines(error))
