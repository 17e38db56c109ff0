import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { memoryRewards } from '../../algorithms/index.js'
import type { Device } from '../../backends/backend.js'
import { bool, f32, program, type Value } from '../../dsl/index.js'
import type { Environment, Probe } from '../../tasks/environment.js'
import type { TrainError } from '../errors.js'
import { load, run } from '../load.js'
import type { DecoderSpecs } from '../../models/index.js'
import type { HeldFor } from '../held.js'
import type { Trajectory } from '../trajectories.js'
import type { GroupEstimate } from './estimates.js'
import type { Score } from './scoring.js'
import type { MemoryBaseline, MemorySettings } from './settings.js'

/** How well a model reads what a context gives away: of so many tokens, as many would be right if they were drawn. */
export interface Reader {
  readonly known: number
  readonly right: number
}

const noReader: Reader = { known: 0, right: 0 }

/** What the memory of one turn of a trajectory was worth. */
export interface Remembered {
  readonly trajectory: number
  readonly turn: number
  /** The answer's probability after the memory, and what it is compared with. */
  readonly memory: number
  readonly baseline: number
  readonly advantage: number
  /** What the whole history gives away: how many tokens of the answer, and Σ of their probabilities after it. None where it is not read. */
  readonly reader: Reader
}

interface Asked {
  readonly trajectory: number
  readonly group: number
  readonly turn: number
  readonly memory: Probe
  readonly history: Probe
}

const sequenceOf = ({ context, answer }: Probe) => ({ prompt: context, answer, answerMask: answer.map(() => true) })

const cube = (rows: readonly (readonly number[])[], width: number): Value => ({
  sizes: [rows.length, 1, width],
  data: rows.flatMap((row) => Array.from({ length: width }, (_, i) => row[i] ?? 0)),
})

interface Likely {
  readonly probability: number
  readonly reader: Reader
}

/** What was found of each probe, and how many sequences the policy read for it. */
interface Found {
  readonly likely: readonly Likely[]
  readonly sequences: number
}

/** How likely the policy finds each probe's answer, by the mean of its scored tokens. */
type Likelihood = (params: HeldFor<DecoderSpecs>, probes: readonly Probe[]) => TE.TaskEither<TrainError, Found>

const readerOf = ({ known }: Probe, logProbs: readonly number[]): Reader => ({
  known: known.filter(Boolean).length,
  right: logProbs.reduce((sum, x, i) => sum + (known[i] === true ? Math.exp(x) : 0), 0),
})

const loadLikelihood = (device: Device, { mean }: MemorySettings, score: Score<DecoderSpecs>): TE.TaskEither<TrainError, Likelihood> =>
  pipe(
    load(device)('memory', () =>
      program({
        inputs: { givenMemory: f32('batch', 'turn', 'answer'), answerMask: bool('batch', 'answer') },
        body: (probes) => ({ outputs: { probability: memoryRewards(mean)(probes) } }),
      }),
    ),
    TE.map((loaded) => (params, probes) => {
      const width = Math.max(1, ...probes.map(({ answer }) => answer.length))
      const scored = probes.map((probe) => Array.from({ length: width }, (_, i) => (probe.scored[i] === true ? 1 : 0)))
      return pipe(
        score(params, probes.map(sequenceOf)),
        TE.flatMap((logProbs) =>
          pipe(
            run('memory', loaded, {
              givenMemory: cube(logProbs, width),
              answerMask: { sizes: [probes.length, width], data: scored.flat() },
            }),
            TE.map(({ probability: { data } }) => ({
              likely: probes.map((probe, i) => ({ probability: data[i] ?? NaN, reader: readerOf(probe, logProbs[i] ?? []) })),
              sequences: logProbs.length,
            })),
          ),
        ),
      )
    }),
  )

const share = (of: readonly boolean[], scored: readonly boolean[]): number => {
  const counted = of.filter((_, i) => scored[i])
  return counted.length === 0 ? 0 : counted.filter(Boolean).length / counted.length
}

/** What is known of each probe without reading it. */
const unread =
  (probability: (probe: Probe) => number): Likelihood =>
  (_, probes) =>
    TE.right({ likely: probes.map((probe) => ({ probability: probability(probe), reader: noReader })), sequences: 0 })

const baselines: { readonly [B in MemoryBaseline]: (likelihood: Likelihood) => Likelihood } = {
  full: (likelihood) => likelihood,
  found: () => unread(({ known, scored }) => share(known, scored)),
  none: () => unread(() => 0),
}

const askedOf = <S>(
  { memoryProbes }: Environment<S>,
  { answer }: MemorySettings,
  trajectories: readonly Trajectory<S>[],
): readonly Asked[] =>
  trajectories.flatMap(({ state, group }, trajectory) =>
    (memoryProbes?.(state, answer) ?? []).map((probe) => ({ trajectory, group, ...probe })),
  )

/** What memories were worth, and how many sequences the policy read for it. */
export interface Memories {
  readonly remembered: readonly Remembered[]
  readonly sequences: number
}

export const noMemories: Memories = { remembered: [], sequences: 0 }

/** What the memories of some trajectories were worth, compared within their groups over all turns. */
export type MemoryEstimate = <S>(
  environment: Environment<S>,
  params: HeldFor<DecoderSpecs>,
  trajectories: readonly Trajectory<S>[],
) => TE.TaskEither<TrainError, Memories>

/**
 * Make MemPO's estimate ready: for each turn that wrote a memory the probability of the answer after it, less the baseline. One forward pass
 * of the policy as it is over two sequences a memory, without sampling or gradient. Source: arXiv:2603.00680.
 */
export const loadMemoryEstimate = (
  device: Device,
  settings: MemorySettings,
  score: Score<DecoderSpecs>,
  estimate: GroupEstimate,
): TE.TaskEither<TrainError, MemoryEstimate> =>
  pipe(
    loadLikelihood(device, settings, score),
    TE.map((likelihood) => (environment, params, trajectories) => {
      const asked = askedOf(environment, settings, trajectories)
      if (asked.length === 0) return TE.right(noMemories)
      return pipe(
        TE.Do,
        TE.bind('memory', () =>
          likelihood(
            params,
            asked.map(({ memory }) => memory),
          ),
        ),
        TE.bind('baseline', () =>
          baselines[settings.baseline](likelihood)(
            params,
            asked.map(({ history }) => history),
          ),
        ),
        TE.bind('advantages', ({ memory, baseline }) =>
          estimate(
            memory.likely.map(({ probability }, i) => probability - (baseline.likely[i]?.probability ?? 0)),
            asked.map(({ group }) => group),
          ),
        ),
        TE.map(({ memory, baseline, advantages }) => ({
          remembered: asked.map(({ trajectory, turn }, i) => ({
            ...{ trajectory, turn, memory: memory.likely[i]?.probability ?? 0, baseline: baseline.likely[i]?.probability ?? 0 },
            ...{ advantage: advantages[i] ?? 0, reader: baseline.likely[i]?.reader ?? noReader },
          })),
          sequences: memory.sequences + baseline.sequences,
        })),
      )
    }),
  )
