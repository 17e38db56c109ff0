import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { plainShow } from '../../../cli/run/show.js'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

test('what goes on is said when it begins and again while it lasts, and what is within it until it is over', () => {
  const lines: string[] = []
  const show = plainShow((line) => lines.push(line))
  show.begin('compiling grpo')
  const over = show.during('compiling scoring')
  expect(lines).toEqual(['compiling grpo', '  compiling scoring'])
  vi.advanceTimersByTime(9000)
  expect(lines.slice(2)).toEqual(['  still compiling scoring, 4 s', '  still compiling scoring, 8 s'])
  over()
  vi.advanceTimersByTime(4000)
  expect(lines.slice(4)).toEqual(['  still compiling grpo, 12 s'])
  show.end()
  vi.advanceTimersByTime(60_000)
  expect(lines).toHaveLength(5)
})
