export type { Draw, Environment, MemoryProbe, Probe, ProbedAnswer, Reward, Split } from './environment.js'
export { type TokenizerJson, tokenizerJson } from './tokenizer-json.js'
export { type UnknownWord, type Words, wordsOf } from './words.js'
export * as countdown from './countdown/index.js'
