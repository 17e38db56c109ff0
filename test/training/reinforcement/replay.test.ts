import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { expect, test } from 'vitest'
import { openDevice } from '../../../backends/index.js'
import type { Answer } from '../../../training/index.js'
import { must } from '../../backends/opened.js'
import { onCpu } from '../tiny.js'
import { type Between, learnt, task } from './learnt.js'

/** What was answered, in the order in which it was asked. */
type Tape = (readonly Answer[])[]

const recorded =
  (tape: Tape): Required<Between>['heard'] =>
  async (ready) => {
    const respond = await ready()
    return (...asked) =>
      pipe(
        respond(...asked),
        TE.map((answers) => {
          tape.push(answers)
          return answers
        }),
      )
  }

const replayed = (tape: Tape): Required<Between>['heard'] => {
  const answers = tape.values()
  return () => Promise.resolve(() => TE.right(answers.next().value ?? []))
}

test('what MemPO learns from the rollouts of the CPU has the same losses on software WebGPU', { timeout: 180_000 }, async () => {
  const tape: Tape = []
  await onCpu(async (cpu) => {
    const expected = await learnt(cpu, task, 'mempo', {}, { heard: recorded(tape) })
    const software = await must(openDevice('software'))
    const made = await learnt(software, task, 'mempo', {}, { heard: replayed(tape) }).finally(() => software.release())
    const losses = (from: typeof made): readonly number[] => from.reports.flatMap(({ updates }) => updates.map(({ loss }) => loss))
    expect(losses(made)).toHaveLength(8)
    losses(made).forEach((loss, i) => expect(Math.abs(loss - losses(expected)[i]!)).toBeLessThan(1e-3))
    expect(losses(expected).some((loss) => Math.abs(loss) > 1e-2)).toBe(true)
  })
})
