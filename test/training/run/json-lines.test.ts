import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { disk } from '../../../training/index.js'
import { cutBack, type Extent, upTo } from '../../../training/run/json-lines.js'
import { law } from '../../law.js'
import { right } from '../../right.js'
import { folder } from './folders.js'

const line = (step: number): string => `${JSON.stringify({ step, reward: step / 3 })}\n`
const lines = (steps: readonly number[]): string => steps.map(line).join('')

const measured = { questions: 1, greedy: {}, sampled: {}, oracle: {}, sorts: {} }

/** A checkpoint after a step, which knows of the evaluations after some. */
const at = (step: number, ...evaluated: readonly number[]): Extent => ({
  step,
  evaluations: evaluated.map((own) => ({ step: own, ...measured })),
})

const evaluation = (step: number): string => `${JSON.stringify({ step, stage: 'evaluation' })}\n`

describe('lines of a run', () => {
  test.each([
    ['whole lines', lines([1, 2, 3]), 2, lines([1, 2])],
    ['a line cut in its middle', lines([1, 2]) + line(3).slice(0, 7), 3, lines([1, 2])],
    ['a line without its end, which may go on', lines([1]) + line(2).trimEnd(), 2, lines([1])],
    ['a line cut by another that follows it', `${line(1)}{"ste${line(2)}`, 2, lines([1])],
    ['several of one step', lines([1, 2, 2, 3]), 2, lines([1, 2, 2])],
    ['nothing', '', 5, ''],
  ])('are cut back: %s', (_, text, step, kept) => {
    expect(upTo(text, at(step))).toBe(kept)
  })

  test('of evaluations are those that the checkpoint knows', () => {
    const text = line(1) + evaluation(1) + line(2) + evaluation(2)
    expect(upTo(text, at(2, 1))).toBe(line(1) + evaluation(1) + line(2))
    expect(upTo(text, at(2, 1, 2))).toBe(text)
    expect(upTo(text, at(1))).toBe(line(1))
  })

  law(
    'wherever a file of lines is cut, what is left up to a step is a beginning of what was there up to it',
    fc.property(fc.nat(8), fc.nat(8), fc.nat(400), (count, step, cut) => {
      const whole = lines(Array.from({ length: count }, (__, i) => i + 1))
      return upTo(whole, at(step)).startsWith(upTo(whole.slice(0, cut), at(step)))
    }),
  )

  test('are replaced at once, and a file that is not there stays so', async () => {
    const run = folder()
    const [metrics, timing] = [join(run, 'metrics.jsonl'), join(run, 'timing.jsonl')]
    writeFileSync(metrics, `${lines([1, 2, 3])}{"st`)
    right(await cutBack(disk, metrics, at(2))())
    right(await cutBack(disk, timing, at(2))())

    expect(readdirSync(run)).toEqual(['metrics.jsonl'])
    expect(readFileSync(metrics, 'utf8')).toBe(lines([1, 2]))
  })
})
