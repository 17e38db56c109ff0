// Whether each algorithm learns: mean rewards of the first and of the last ten steps after one warm start, over several seeds.
// `npm run algorithms` prints the table of docs/algorithms-learn.md in a quarter of an hour; `-- STEPS SEEDS NAME…` runs a part of it.
import { fileURLToPath } from 'node:url'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { presets } from '../algorithms/index.js'
import type { Device } from '../backends/index.js'
import { openCpu } from '../backends/cpu/index.js'
import { type Key, random } from '../dsl/index.js'
import { type DecoderConfig, decoderSpecs, type DecoderSpecs, initialParameters, newJudge, type ValuesOf } from '../models/index.js'
import { countdown, type Environment, recall, renderSettingError } from '../tasks/index.js'
import {
  dropTree,
  follow,
  holdTree,
  initialState,
  loadReinforcement,
  loadRespond,
  loadSupervised,
  meanWithError,
  needsOf,
  netSpecs,
  readTree,
  recipeOf,
  reinforce,
  type ReinforcementSettings,
  renderLossError,
  renderTrainError,
  stepMetrics,
  train,
  type TrainError,
} from '../training/index.js'

const settings: ReinforcementSettings = {
  ...{ steps: 40, questions: 16, answers: 8, temperature: 1, learningRate: 1e-3, optimizer: { beta2: 0.95 }, maxNorm: 1 },
  ...{ epochs: 1, miniBatches: 2, oldLogProbs: 'rollout', loss: {}, klReward: 0 },
  advantages: presets.trl.advantages,
  critic: { gae: { gamma: 1, lambda: 0.95 }, whitening: { ddof: 1, epsilon: 1e-8 } },
  memory: { answer: 'gold', mean: 'geometric', baseline: 'full' },
}

/** A task and the warm start that leaves something to learn on it. */
interface Ground<S> {
  readonly title: string
  readonly environment: Environment<S>
  readonly lessons: { readonly steps: number; readonly probes: number }
}

const sums: Ground<countdown.CountdownState> = {
  ...{ title: 'Countdown, 2 numbers', environment: countdown.environment({ count: 2 }) },
  lessons: { steps: 100, probes: 0 },
}

const remembering = recall.environment()
if (E.isLeft(remembering)) throw new RangeError(remembering.left.map(renderSettingError).join('\n'))

const memories: Ground<recall.RecallState> = {
  ...{ title: 'recall, 2 turns', environment: remembering.right },
  lessons: { steps: 200, probes: 0.3 },
}

type AnyGround = Ground<unknown>

/** An algorithm where it shall learn, and what of the settings above is another there. */
export interface Case {
  readonly algorithm: string
  readonly ground: AnyGround
  readonly changed: Partial<ReinforcementSettings>
}

const onSums = (algorithm: string, changed: Partial<ReinforcementSettings> = {}): Case => ({
  algorithm,
  ground: sums as AnyGround,
  changed,
})

export const cases: readonly Case[] = [
  onSums('grpo'),
  { algorithm: 'mempo', ground: memories as AnyGround, changed: {} },
  onSums('ppo'),
  onSums('cispo'),
  onSums('gspo'),
  onSums('rloo'),
  onSums('dpo'),
]

const right = async <A>(task: TE.TaskEither<TrainError, A>): Promise<A> => {
  const made = await task()
  if (E.isLeft(made)) throw new Error(renderTrainError(made.left))
  return made.right
}

const configOf = ({ vocabulary }: Environment<unknown>): DecoderConfig => ({
  ...{ vocab: vocabulary.length, embed: 32, layers: 2, heads: 2, headDim: 16, ffn: 64 },
})

type Policy = ValuesOf<DecoderSpecs>

/** A policy after its lessons. */
const taught = async (device: Device, { environment, lessons }: AnyGround, key: Key): Promise<Policy> => {
  const config = configOf(environment)
  const specs = decoderSpecs(config)
  const stages = [{ ...lessons, environment }]
  const course = { stages, rows: 32, learningRate: 3e-3, decay: 0.4, optimizer: {}, maxNorm: 1 }
  const { learner, batches } = await right(loadSupervised(device, config)(course, random.fold(key, 0)))
  const begun = await right(initialState(device)(specs, initialParameters(config, random.fold(key, 1))))
  const ended = await right(follow(() => undefined)(train(learner, begun, batches(0))))
  const values = await right(readTree(device)(specs, ended.params))
  dropTree(device)(ended)
  return values
}

/** A policy after its lessons for each seed from 1, which all algorithms on that ground go on from. */
export const warmStarts = async (device: Device, { ground }: Case, seeds: number): Promise<readonly Policy[]> => {
  const policies: Policy[] = []
  for (let seed = 1; seed <= seeds; seed++) policies.push(await taught(device, ground, random.key(seed)))
  return policies
}

/** The mean reward of each step of an algorithm, from each warm start. */
export const rewardsOf = async (
  device: Device,
  { algorithm, ground: { environment }, changed }: Case,
  starts: readonly Policy[],
): Promise<readonly (readonly number[])[]> => {
  const config = configOf(environment)
  const how = { ...settings, ...changed }
  const recipe = recipeOf(algorithm, how.loss)
  if (E.isLeft(recipe)) throw new Error(renderLossError(recipe.left))
  const needs = needsOf(recipe.right, how)
  const specs = decoderSpecs(config)
  const respond = await right(loadRespond(device)(config))
  const reinforcement = await right(loadReinforcement(device, config, respond)(environment, recipe.right, how))
  const runs: number[][] = []
  for (const [i, policy] of starts.entries()) {
    const key = random.fold(random.key(i + 1), 2)
    const reference = needs.reference ? { reference: await right(holdTree(device)(specs, policy)) } : {}
    const critic = needs.critic ? { critic: newJudge(config, policy) } : {}
    let nets = await right(initialState(device)(netSpecs(config, needs), { policy, ...critic }))
    const rewards: number[] = []
    for (let step = 1; step <= how.steps; step++) {
      const made = await reinforce(reinforcement)({ nets, ...reference }, random.fold(key, step))()
      if (E.isLeft(made)) throw new Error(renderTrainError(made.left.error))
      nets = made.right.nets
      rewards.push(stepMetrics(step, made.right.report).reward.mean)
    }
    dropTree(device)({ nets, ...reference })
    runs.push(rewards)
  }
  return runs
}

const mean = (xs: readonly number[]): number => meanWithError(xs).mean

export interface Learnt {
  readonly first: number
  readonly last: number
  /** The mean over seeds of what each gained, and its standard error. */
  readonly gain: number
  readonly error: number
}

/** What some runs gained between their first steps and their last, at most ten of each. */
export const learnt = (runs: readonly (readonly number[])[]): Learnt => {
  const firsts = runs.map((rewards) => mean(rewards.slice(0, Math.min(10, rewards.length / 2))))
  const lasts = runs.map((rewards) => mean(rewards.slice(-Math.min(10, Math.floor(rewards.length / 2)))))
  const gains = lasts.map((last, i) => last - (firsts[i] ?? NaN))
  const { mean: gain, error } = meanWithError(gains)
  return { first: mean(firsts), last: mean(lasts), gain, error }
}

/** A row of the table. */
export const rowOf = ({ algorithm, ground, changed }: Case, { first, last, gain, error }: Learnt): string => {
  const rate = (changed.learningRate ?? settings.learningRate).toExponential(0)
  const columns = [algorithm, ground.title, rate, first.toFixed(3), last.toFixed(3), `${gain.toFixed(3)} ± ${error.toFixed(3)}`]
  return `| ${[...columns, (gain / error).toFixed(1)].join(' | ')} |`
}

const main = async ([steps = String(settings.steps), seeds = '5', ...names]: readonly string[]): Promise<void> => {
  const device = openCpu()
  const starts = new Map<AnyGround, readonly Policy[]>()
  console.log(`| algorithm | task | learning rate | first ten steps | last ten of ${steps} | gain over ${seeds} seeds | gain / s.e. |`)
  console.log(`| --- | --- | --- | --- | --- | --- | --- |`)
  for (const one of cases.filter(({ algorithm }) => names.length === 0 || names.includes(algorithm))) {
    const from = starts.get(one.ground) ?? (await warmStarts(device, one, Number(seeds)))
    starts.set(one.ground, from)
    const runs = await rewardsOf(device, { ...one, changed: { ...one.changed, steps: Number(steps) } }, from)
    console.log(rowOf(one, learnt(runs)))
  }
  await device.release()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2))
