/*
 * Countdown: make a target from a few numbers, each used once.
 *
 *   3 5 7 = 26 : 3 * 7 + 5 .
 *   └ prompt ──┘ └ answer ─┘
 *
 * One turn, no data file, and a check that is exact: the smallest task on which a policy gradient can be seen to work.
 * The prompt lists its numbers in ascending order, so that it does not give away their order in the answer and two prompts
 * of one problem cannot fall on either side of the split.
 */
export { type CountdownSettings, type CountdownState, environment } from './environment.js'
export { evaluate, type Expression, type Operator } from './arithmetic.js'
export { type Count, type CountdownConfig, type Problem, problem, problems, splitOf } from './problems.js'
export { reward, type RewardKind } from './reward.js'
export { answer, answerLength, oracle, parse, prompt, promptLength } from './sequences.js'
export { decode, encode, padId, stopId, vocabulary } from './words.js'
