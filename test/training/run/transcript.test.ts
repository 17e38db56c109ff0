import { expect, test } from 'vitest'
import type { Row } from '../../../training/reinforcement/rows.js'
import type { Trajectory } from '../../../training/trajectories.js'
import { transcriptsOf } from '../../../training/run/transcript.js'
import type { recall } from '../../../tasks/index.js'
import { recalling } from '../../tasks/recalling.js'

const environment = recalling({ names: 2 })

const turn = (context: readonly number[], ids: readonly number[], kind: string) => ({
  context,
  answer: { ids, logProbs: ids.map(() => -1), samplingLogProbs: ids.map(() => -1) },
  kinds: ids.map(() => kind),
})

const trajectory = (group: number, turns: readonly ReturnType<typeof turn>[]) =>
  ({
    group,
    turns,
    state: { digits: [1, 2], asked: 0 },
    reward: { value: 1, parts: { exact: 1 } },
  }) as unknown as Trajectory<recall.RecallState>

const row = (at: number, answerMask: readonly boolean[], advantages: readonly number[], spanTurn: readonly number[]): Row => ({
  ...{ trajectory: at, group: 0, reward: 1, advantage: 0, memoryAdvantages: [10, 20] },
  ...{ prompt: [], answer: answerMask.map(() => 1), answerMask, logProbs: [], samplingLogProbs: [], turns: [] },
  kinds: answerMask.map(() => 'memory'),
  tokens: { advantages, spanTurn },
})

test('each word that was written has its advantage, the memory’s added, whichever way the turns were packed', () => {
  const turns = [turn([3, 16], [1, 2], 'memory'), turn([4, 16], [5], 'answer')]
  const apart = [row(0, [true, true], [1, 2], [0, 0]), row(0, [true], [3], [-1])]
  const packed = [row(1, [true, true, false, false, true], [1, 2, 9, 9, 3], [0, 0, -1, -1, -1])]
  const [one, other] = transcriptsOf(
    environment,
    { trajectories: [trajectory(0, turns), trajectory(0, turns)], rows: [...apart, ...packed] },
    2,
  )
  expect(one?.turns).toEqual([
    {
      read: ['3', ';'],
      written: [
        { word: '1', kind: 'memory', advantage: 11 },
        { word: '2', kind: 'memory', advantage: 12 },
      ],
    },
    { read: ['4', ';'], written: [{ word: '5', kind: 'answer', advantage: 3 }] },
  ])
  expect(other?.turns).toEqual(one?.turns)
})

test('no more episodes are written than were asked for', () => {
  const one = trajectory(0, [turn([1], [2], 'answer')])
  expect(transcriptsOf(environment, { trajectories: [one, one, one], rows: [] }, 2)).toHaveLength(2)
})
