export type { Draw, Environment, MemoryProbe, Probe, ProbedAnswer, Reward, Split } from './environment.js'
export * as countdown from './countdown/index.js'
