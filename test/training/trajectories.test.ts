import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { expect, test } from 'vitest'
import { random } from '../../dsl/index.js'
import { recall } from '../../tasks/index.js'
import { packed, type Speak, rollOut, type Turn } from '../../training/index.js'
import { law } from '../law.js'
import { right } from './tiny.js'
import { recalling } from '../tasks/recalling.js'

const anyIds = fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 4 })

const turnOf = (context: readonly number[], ids: readonly number[]): Turn => ({
  context,
  answer: { ids, logProbs: ids.map((id) => -id), samplingLogProbs: ids.map((id) => -2 * id) },
  kinds: ids.map((id) => `kind ${String(id)}`),
})

/** Turns whose contexts go on with what came before, or begin anew. */
const anyTurns = fc.array(fc.tuple(fc.boolean(), anyIds, anyIds), { minLength: 1, maxLength: 5 }).map((turns) => {
  const made: Turn[] = []
  for (const [goesOn, read, said] of turns) {
    const last = made.at(-1)
    made.push(turnOf(goesOn && last !== undefined ? [...last.context, ...last.answer.ids, ...read] : [10, ...read], said))
  }
  return made
})

law(
  'packing keeps each written token once, in order, behind the context that it was written after',
  fc.property(anyTurns, (turns) => {
    const sequences = packed(turns)
    const written = sequences.flatMap(({ answer, answerMask, turns: of, logProbs, samplingLogProbs, kinds, prompt }) =>
      answer.flatMap((id, i) =>
        answerMask[i] === true
          ? [
              {
                id,
                turn: of[i],
                logProb: logProbs[i],
                sampling: samplingLogProbs[i],
                kind: kinds[i],
                before: [...prompt, ...answer.slice(0, i)],
              },
            ]
          : [],
      ),
    )
    const expected = turns.flatMap(({ context, answer: { ids } }, turn) =>
      ids.map((id, i) => ({
        id,
        turn,
        logProb: -id,
        sampling: -2 * id,
        kind: `kind ${String(id)}`,
        before: [...context, ...ids.slice(0, i)],
      })),
    )
    expect(written).toEqual(expected)
  }),
)

const text = (ids: readonly number[]): string => ids.map((id) => `${String(id)} `).join('')

law(
  'turns make one sequence where each context goes on with what came before',
  fc.property(anyTurns, (turns) => {
    const begins = turns.filter(({ context }, i) => {
      const last = turns[i - 1]
      return last === undefined || !text(context).startsWith(text(last.context) + text(last.answer.ids))
    })
    expect(packed(turns)).toHaveLength(begins.length)
  }),
)

const task = recalling({ names: 2 })

/** Says the first words of its context again; every third row says nothing that ends a turn. */
const echo =
  (asked: number[]): Speak =>
  (contexts) => {
    asked.push(contexts.length)
    return TE.right(contexts.map((context) => turnOf(context, [...context.slice(0, 4), recall.stopId]).answer))
  }

test('a group plays one problem, and every row is played to its end', async () => {
  const asked: number[] = []
  const key = random.key(1)
  const problems = [1, 2, 3].map((seed) => task.problem('train', (i, n) => random.integer(random.key(seed), i, n)))
  const trajectories = right(await rollOut(task, echo(asked), { members: 2, key })(problems)())
  expect(asked).toEqual([6, 6])
  expect(trajectories.map(({ group }) => group)).toEqual([0, 0, 1, 1, 2, 2])
  for (const { state, turns, reward } of trajectories) {
    expect(turns).toHaveLength(2)
    expect(task.isOver(state)).toBe(true)
    expect(reward.parts['format']).toBe(0)
    expect(turns.map(({ kinds }) => kinds[0])).toEqual(['memory', 'memory'])
  }
})

test('a problem that is over before it begins has no turns', async () => {
  const over = { ...task, isOver: () => true }
  const [problem] = [task.problem('train', () => 0)]
  const [trajectory] = right(await rollOut(over, echo([]), { members: 1, key: random.key(1) })([problem])())
  expect(trajectory!.turns).toEqual([])
  expect(packed(trajectory!.turns)).toEqual([])
})

test('a tool that fails ends the rollout with its error', async () => {
  const failing = { ...task, act: () => Promise.reject(new Error('no line')) }
  const [problem] = [task.problem('train', () => 0)]
  const made = await rollOut(failing, echo([]), { members: 1, key: random.key(1) })([problem])()
  expect(made).toEqual(E.left({ tag: 'toolFailed', task: 'recall', because: 'Error: no line' }))
})
