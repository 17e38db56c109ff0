import { needsOf } from '../reinforcement/needs.js'
import type { Reinforced, Reinforcement } from '../reinforcement/reinforce.js'
import type { Row } from '../reinforcement/rows.js'
import { advantagesOf, type AdvantageMetrics } from './advantages.js'
import { memoriesOf, type MemoryMetrics } from './memories.js'
import { type Played, playedOf } from './played.js'
import { groupedBy, type Numbers, spread, type Spread, sum } from './statistics.js'
import { updatesOf, type UpdateMetrics } from './updates.js'

/** What a step of reinforcement is watched by: a line of `metrics.jsonl`. The same run gives the same line, so it holds no times. */
export interface StepMetrics extends Played {
  readonly step: number
  /** What the policy learns by: the task's reward, with a reward model's score and less the price of the KL where there are such. */
  readonly paid: Spread
  readonly advantage: AdvantageMetrics
  readonly update: UpdateMetrics
  /** −Σ π·log π at the tokens that write a memory, in nats; not there where none does. */
  readonly memoryEntropy?: number
  /** Of a loss that pays for memories. */
  readonly memory?: MemoryMetrics
  /** Sequences that a net read from end to end: turns that were answered, rows and probes that were scored, rows of updates. */
  readonly forwardPasses: number
}

type Made = Pick<Reinforcement<never>, 'settings' | 'inputs'>

/** The sequences that were scored and trained on, once for each net that read them. */
const forwardPasses = (
  { settings, inputs }: Made,
  { trajectories, rows, remembered, updates }: Omit<Reinforced<unknown>, 'seconds'>,
): number => {
  const { reference, critic, rewardModel } = needsOf({ inputs }, settings)
  const reads = [settings.oldLogProbs === 'recomputed', reference, critic].filter(Boolean).length
  const probes = settings.memory.baseline === 'full' ? 2 : 1
  const sides = 'chosen' in inputs ? 2 : 1
  const trained = sum(updates.map(({ about }) => about.rows)) * sides * (critic ? 2 : 1)
  const judged = rewardModel ? trajectories.length : 0
  return sum(trajectories.map(({ turns }) => turns.length)) + judged + rows.length * reads + remembered.length * probes + trained
}

/** The entropy of memories, of the mean that has 0 at all other tokens. */
const entropyOfMemories = (rows: readonly Row[], numbers: Numbers): number | undefined => {
  const written = rows.flatMap(({ answerMask, kinds }) => kinds.filter((_, i) => answerMask[i]))
  const memories = written.filter((kind) => kind === 'memory').length
  const { memoryEntropy } = numbers
  return memories === 0 || memoryEntropy === undefined ? undefined : (memoryEntropy * written.length) / memories
}

const withoutMemoryEntropy = ({ memoryEntropy: _, ...numbers }: Numbers): Numbers => numbers

/** The first row of each trajectory: it knows what the trajectory was paid, and how that compares. */
const firstRows = (rows: readonly Row[]): readonly Row[] =>
  groupedBy(rows, ({ trajectory }) => trajectory).flatMap(([first]) => (first === undefined ? [] : [first]))

/** The metrics of a step, counted from 1. */
export const stepMetrics =
  (made: Made) =>
  (step: number, report: Reinforced<unknown>): StepMetrics => {
    const { trajectories, rows, remembered, updates, rounds } = report
    const firsts = firstRows(rows)
    const paid = firsts.map(({ reward }) => reward)
    const update = updatesOf(updates, rounds)
    const memoryEntropy = entropyOfMemories(rows, update.numbers)
    return {
      step,
      ...playedOf(trajectories, paid),
      paid: spread(paid),
      advantage: advantagesOf(rows),
      update: { ...update, numbers: withoutMemoryEntropy(update.numbers) },
      ...(memoryEntropy !== undefined && { memoryEntropy }),
      ...(remembered.length > 0 && {
        memory: memoriesOf(
          remembered,
          firsts.map(({ advantage }) => advantage),
        ),
      }),
      forwardPasses: forwardPasses(made, report),
    }
  }
