import type { Passes } from '../reinforcement/passes.js'
import type { Reinforced } from '../reinforcement/reinforce.js'
import type { Row } from '../reinforcement/rows.js'
import { advantagesOf, type AdvantageMetrics } from './advantages.js'
import { memoriesOf, type MemoryMetrics } from './memories.js'
import { type Played, playedOf } from './played.js'
import { groupedBy, type Numbers, spread, type Spread } from './statistics.js'
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
  /** Each forward pass of the step, and how many sequences were read in it: turns that were answered, rows and probes that were scored, rows of updates. */
  readonly forwardPasses: Passes
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
export const stepMetrics = (
  step: number,
  { trajectories, rows, remembered, passes, updates, rounds }: Reinforced<unknown>,
): StepMetrics => {
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
    forwardPasses: passes,
  }
}
