/** Texts as ids: tokenizer.json and chat templates, as Hugging Face has them. */
export { type Chat, type ChatOptions, type Message, parseChatTemplate } from './chat.js'
export { renderTokenizerError, type TokenizerError } from './error.js'
export { parseTokenizer, type Tokenizer } from './tokenizer.js'
