import {
  callGap,
  clippedScore,
  lengthReward,
  repetitionPenalty,
  splitThinking,
  states,
  thinkingReward,
  type ToolCall,
  toolCallsOf,
  type Tools,
  unbalancedTags,
} from '../../../algorithms/index.js'
import { f32 } from '../../../dsl/index.js'
import type { GoldenCase, Nested } from '../golden-file.js'
import { prepare, type Prepared, type Row, row } from '../row.js'

/** MiniMind's rewards are of text: what these functions give is handed on as it is. */
const repeats = repetitionPenalty({ n: 3, cap: 0.5 })
const thinks = thinkingReward({
  band: { least: 20, most: 300 },
  length: { inside: 1, outside: -0.5 },
  tags: { one: 0.25, several: -0.25 },
})
const score = clippedScore(3)
const half = { inside: 0.5, outside: -0.5 }

const handedOn = (golden: GoldenCase, { value, ...others }: { readonly value: Nested; readonly [name: string]: Nested }): Prepared => {
  const names = Object.keys(others)
  return prepare(golden, {
    inputs: { value: f32('batch'), ...Object.fromEntries(names.map((name) => [name, f32('batch')])) },
    given: { value, ...others },
    outputs: (given) => given,
  })
}

const grpo = row({
  file: 'mm_grpo_rewards',
  cases: 8,
  prepare: (golden) => {
    const responses = golden.inputs['responses'] as unknown as readonly string[]
    const scores = golden.inputs['reward_model_scores'] as readonly number[]
    const value = responses.map(
      (text, i) =>
        lengthReward({ least: 20, most: 800 }, half)(text) + thinks(text) - repeats(splitThinking(text).answer) + score(scores[i]!),
    )
    return handedOn(golden, { value, rep_penalty: responses.map(repeats) })
  },
})

const required: Tools = {
  calculate_math: ['expression'],
  unit_converter: ['value', 'from_unit', 'to_unit'],
  get_current_weather: ['location'],
  get_current_time: [],
  get_exchange_rate: ['from_currency', 'to_currency'],
  translate_text: ['text', 'target_language'],
}

export interface Agent {
  readonly completions: readonly string[]
  readonly turn_outputs: readonly (readonly string[])[]
  readonly gt_batch: readonly (readonly string[])[]
  readonly unfinished: readonly boolean[]
  readonly reward_model_scores_in_call_order: readonly number[]
}

/** What the last answer of a rollout is worth, and the facts that it states. */
export const agentRewards = ({ completions, turn_outputs, gt_batch, unfinished, ...judged }: Agent, generations: number) => {
  const scores = [...judged.reward_model_scores_in_call_order]
  return completions.map((completion, i) => {
    const turns = turn_outputs[i]!
    const calls = turns.map(toolCallsOf)
    const all: readonly ToolCall[] = calls.flat()
    const { answer } = splitThinking(completion)
    const facts = gt_batch[Math.floor(i / generations)]!
    const validated = all.length === 0 ? [] : facts.filter(states(answer))
    const gap = callGap(required, facts.length)(all)
    const of =
      all.length === 0
        ? lengthReward({ least: 5, most: 800 }, half)(completion) + thinks(completion) + score(scores.shift()!)
        : (gap === 0 ? 0.5 : -0.5 * gap) + (facts.length === 0 ? 0 : (2.5 * validated.length) / facts.length)
    const tags = turns.reduce((sum, turn) => sum + unbalancedTags(turn), 0)
    return { value: score(of - 0.5 * tags - (unfinished[i]! ? 0.5 : 0) - repeats(answer)), validated, calls }
  })
}

const agent = row<{ readonly num_gen: number }>({
  file: 'mm_agent_rewards',
  cases: 8,
  // No tensors: test/algorithms/rewards.test.ts compares them.
  without: ['tool_calls'],
  prepare: (golden) => {
    const rewards = agentRewards(golden.inputs as unknown as Agent, golden.params.num_gen)
    return handedOn(golden, { value: rewards.map(({ value }) => value) })
  },
})

export const rewardRows: readonly Row[] = [grpo, agent]
