import type { Environment } from '../environment.js'
import { type Count, type Problem, problem, problems } from './problems.js'
import { reward, type RewardKind } from './reward.js'
import { answerLength, oracle, parse, prompt } from './sequences.js'
import { decode, padId, stopId, vocabulary } from './words.js'

/** A problem, and what was answered once it was. */
export interface CountdownState {
  readonly problem: Problem
  readonly response?: readonly number[]
}

export interface CountdownSettings {
  /** 3 unless given. */
  readonly count?: Count
  /** `exact` unless given. */
  readonly reward?: RewardKind
}

/** Countdown as one turn: `exact` is 1 where the target is met, `format` is 1 where the answer is an expression. */
export const environment = ({ count = 3, reward: kind = 'exact' }: CountdownSettings = {}): Environment<CountdownState> => {
  const pools = { train: problems({ count, split: 'train' }), heldOut: problems({ count, split: 'heldOut' }) }
  return {
    name: 'countdown',
    vocabulary,
    padId,
    stopIds: [stopId],
    maxTokens: answerLength(count),
    problem: (split, draw) => ({ problem: problem(pools[split], draw, 0) }),
    context: (state) => prompt(state.problem),
    act: (state, response) => ({ ...state, response }),
    isOver: ({ response }) => response !== undefined,
    reward: ({ problem, response = [] }) => {
      const value = reward(kind)(problem, response)
      return { value, parts: { exact: value === 1 ? 1 : 0, format: parse(response) === undefined ? 0 : 1 } }
    },
    oracle: (state) => oracle(state.problem),
    kinds: (response) => response.map(() => 'answer'),
    render: ({ problem, response = [] }) => decode([...prompt(problem), ...response]),
  }
}
