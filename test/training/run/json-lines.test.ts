import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { disk } from '../../../training/index.js'
import { cutBack, upToStep } from '../../../training/run/json-lines.js'
import { law } from '../../law.js'
import { right } from '../../right.js'
import { folder } from './folders.js'

const line = (step: number): string => `${JSON.stringify({ step, reward: step / 3 })}\n`
const lines = (steps: readonly number[]): string => steps.map(line).join('')

describe('lines of a run', () => {
  test.each([
    ['whole lines', lines([1, 2, 3]), 2, lines([1, 2])],
    ['a line cut in its middle', lines([1, 2]) + line(3).slice(0, 7), 3, lines([1, 2])],
    ['a line without its end, which may go on', lines([1]) + line(2).trimEnd(), 2, lines([1])],
    ['a line cut by another that follows it', `${line(1)}{"ste${line(2)}`, 2, lines([1])],
    ['several of one step', lines([1, 2, 2, 3]), 2, lines([1, 2, 2])],
    ['nothing', '', 5, ''],
  ])('are cut back: %s', (_, text, step, kept) => {
    expect(upToStep(text, step)).toBe(kept)
  })

  law(
    'wherever a file of lines is cut, what is left up to a step is a beginning of what was there up to it',
    fc.property(fc.nat(8), fc.nat(8), fc.nat(400), (count, step, at) => {
      const whole = lines(Array.from({ length: count }, (__, i) => i + 1))
      return upToStep(whole, step).startsWith(upToStep(whole.slice(0, at), step))
    }),
  )

  test('are replaced at once, and a file that is not there stays so', async () => {
    const run = folder()
    const [metrics, timing] = [join(run, 'metrics.jsonl'), join(run, 'timing.jsonl')]
    writeFileSync(metrics, `${lines([1, 2, 3])}{"st`)
    right(await cutBack(disk, metrics, 2)())
    right(await cutBack(disk, timing, 2)())

    expect(readdirSync(run)).toEqual(['metrics.jsonl'])
    expect(readFileSync(metrics, 'utf8')).toBe(lines([1, 2]))
  })
})
