import type { Environment, Reward } from '../../tasks/environment.js'
import { writtenTokens } from '../metrics/advantages.js'
import type { Reinforced } from '../reinforcement/index.js'
import type { Trajectory } from '../trajectories.js'

/** What was read at a turn and what was written, word by word. */
export interface TranscriptTurn {
  readonly read: readonly string[]
  readonly written: readonly { readonly word: string; readonly kind: string; readonly advantage: number }[]
}

/** An episode with what each of its tokens is learnt by: a line of `transcripts/000110.jsonl`. */
export interface Transcript {
  /** Episodes of one group are answers to the same question. */
  readonly group: number
  readonly reward: Reward
  readonly turns: readonly TranscriptTurn[]
}

/** The first so many episodes of a step. */
export const transcriptsOf = <S>(
  { vocabulary }: Environment<S>,
  { trajectories, rows }: Pick<Reinforced<S>, 'trajectories' | 'rows'>,
  count: number,
): readonly Transcript[] => {
  const wordOf = (id: number): string => vocabulary[id] ?? `<${String(id)}>`
  const ofOne = ({ group, reward, turns }: Trajectory<S>, trajectory: number): Transcript => {
    const tokens = rows.filter((row) => row.trajectory === trajectory).flatMap(writtenTokens)
    let before = 0
    return {
      ...{ group, reward },
      turns: turns.map(({ context, answer: { ids }, kinds }) => {
        const own = tokens.slice(before, (before += ids.length))
        return {
          read: context.map(wordOf),
          written: ids.map((id, i) => ({ word: wordOf(id), kind: kinds[i] ?? '', advantage: own[i]?.advantage ?? 0 })),
        }
      }),
    }
  }
  return trajectories.slice(0, count).map(ofOne)
}
