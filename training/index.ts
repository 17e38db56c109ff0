/** A life: optimizers, rollouts, the loop and its reports. */
export { type Accumulator, loadAccumulator, type Parts } from './accumulate.js'
export { adamW, type AdamWSettings, type AdamWState, type Moments, type Update } from './adamw.js'
export { clipByGlobalNorm, type Clipped, globalNorm } from './clip.js'
export { drawFrom } from './draws.js'
export { renderTrainError, type TrainError } from './errors.js'
export { type Experience, type OldLogProbs, rolloutsOf, sampledBatch } from './experience.js'
export { copyTree, dropTree, type HeldFor, holdTree, holdZeros, readTree } from './held.js'
export { type Batch, type Learner, loadLearner, type Report, type Schedule, type Stepped } from './learner.js'
export { type Announce, announcing } from './load.js'
export { type LessonSettings, lessonBatches, type Lessons, type TeachingStage, teachingSteps } from './lessons.js'
export {
  type AnchoredBatch,
  anchoredPolicyLoss,
  anchoredSpecs,
  policyLoss,
  type PolicyLogits,
  type SampledBatch,
  sampledSpecs,
  type ScoredBatch,
  type SequenceBatch,
  sequenceSpecs,
  supervisedLoss,
  targetLogProbs,
} from './losses.js'
export * from './metrics/index.js'
export { packed, type PackedSequence } from './packed.js'
export * from './reinforcement/index.js'
export type { Nets, NetSpecs } from './nets.js'
export { type Answer, loadRespond, type Respond, type RespondSettings } from './rollout.js'
export { rolloutBatch } from './rollout-batch.js'
export { parseRollouts, printRollouts, renderRolloutError, type Rollout, type RolloutError, type RolloutResult } from './rollout-result.js'
export { type Chance, draw, type Drawing, type Drawn } from './sampling.js'
export { type DecaySettings, linearDecay } from './schedules.js'
export { answerValues, nextTokens, type NextTokens, type Sequence } from './sequences.js'
export * from './run/index.js'
export { type Learning, type StepProgram, stepProgram } from './step-program.js'
export * from './reward-model/index.js'
export { loadSupervised, type Supervised, type SupervisedSettings, type TaughtTokens } from './supervised.js'
export { type Batches, follow, train } from './train.js'
export { initialState, type TrainState, withFreshMoments } from './train-state.js'
export { drawProblems, rollOut, type Speak, type Trajectory, type Turn } from './trajectories.js'
