/** What a run is watched by. */
export type { AdvantageMetrics } from './advantages.js'
export type { MemoryMetrics } from './memories.js'
export type { Played } from './played.js'
export type { Numbers, Spread } from './statistics.js'
export { type StepMetrics, stepMetrics } from './step.js'
export type { UpdateMetrics } from './updates.js'
export { renderWarning, type Warning, type WarningLimits, warningLimits, warningsOf } from './warnings.js'
