import { Template } from '@huggingface/jinja'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { TokenizerError } from './error.js'

/** What somebody said in a conversation; a template may ask for more of it, such as calls of tools. */
export interface Message {
  readonly role: string
  readonly content: string
  readonly [field: string]: unknown
}

export interface ChatOptions {
  /** Whether the text ends where the model is to speak. */
  readonly addGenerationPrompt: boolean
  /** What else the template asks for: `tools`, `enable_thinking`, `bos_token`. */
  readonly variables?: Readonly<Record<string, unknown>>
}

/** A conversation as the text that a model was trained on. */
export type Chat = (messages: readonly Message[], options: ChatOptions) => E.Either<TokenizerError, string>

/** A chat template, the Jinja text of `chat_template`, or why it is none. What it raises (`raise_exception`) is the error's reason. */
export const parseChatTemplate = (text: string): E.Either<TokenizerError, Chat> =>
  pipe(
    E.tryCatch(
      () => new Template(text),
      (because): TokenizerError => ({ tag: 'notRead', file: 'the chat template', because: String(because) }),
    ),
    E.map(
      (template): Chat =>
        (messages, { addGenerationPrompt, variables = {} }) =>
          E.tryCatch(
            () => template.render({ ...variables, messages, add_generation_prompt: addGenerationPrompt }),
            (because): TokenizerError => ({ tag: 'notRendered', because: String(because) }),
          ),
    ),
  )
