/** A model of rewards: taught on pairs, then frozen. */
export type { Judge, JudgeSettings } from './judge.js'
export { loadRewardModel, type PairCount, type PairSource, type RewardModel, type RewardModelSettings } from './learn.js'
