/** Policies as functions of their parameters. */
export { logits } from './decoder.js'
export {
  type Cache,
  type CacheSizes,
  type CacheSpecs,
  cacheSpecs,
  extended,
  type Extended,
  type Extension,
  nextCached,
  type Said,
} from './cache.js'
export { type JudgeParameters, judgeSpecs, type JudgeSpecs, newJudge, positionValues, sequenceScores } from './heads.js'
export type { DecoderConfig } from './config.js'
export {
  type DecoderParameters,
  decoderSpecs,
  type DecoderSpecs,
  initialParameters,
  type LayerParameters,
  type LayerSpecs,
  type ValuesOf,
} from './parameters.js'
export * from './safetensors/index.js'
export * from './checkpoint/index.js'
export * from './tokenizer/index.js'
