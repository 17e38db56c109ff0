import { expect, test } from 'vitest'
import type { ContenderProcess } from '../../bench/peers/contender-process.js'
import type { Ask } from '../../bench/peers/protocol/messages.js'
import { inTurns } from '../../bench/peers/turns.js'

/** A contender whose every run takes as long as it says, until it fails. */
const contender = (name: string, ms: number, asked: string[], failsAt = Infinity): ContenderProcess => {
  let count = 0
  const ask = (of: Ask) => {
    count += 1
    asked.push(of.ask === 'run' ? `${name}${String(of.times)}` : of.ask)
    return count >= failsAt ? Promise.reject(new Error('it broke')) : Promise.resolve({ reply: 'ran', ms })
  }
  const info = { name, group: 'cpu', camp: 'ours', command: [] } as const
  return { info, facts: {}, ask: ask as never, peakBytes: () => 0, quit: () => undefined }
}

test('contenders take turns, which are about as long for all', async () => {
  const asked: string[] = []
  const [a, b] = [contender('a', 10, asked), contender('b', 200, asked)]
  const times = await inTurns([a, b], 2)
  expect(asked.join(' ')).toBe('a1 b1 a1 b1 a1 b1 a5 b1 a5 b1')
  expect(times.get(a)).toEqual([10, 10])
})

test('what takes very long is run once', async () => {
  const asked: string[] = []
  const slow = contender('slow', 60_000, asked)
  expect((await inTurns([slow], 7)).get(slow)).toEqual([60_000])
  expect(asked).toEqual(['slow1'])
})

test('one that fails is asked no more, and the others go on', async () => {
  const asked: string[] = []
  const [broken, whole] = [contender('x', 50, asked, 5), contender('y', 50, asked)]
  const times = await inTurns([broken, whole], 3)
  expect(times.get(broken)).toBe('it broke')
  expect(times.get(whole)).toEqual([50, 50, 50])
  expect(asked.filter((ask) => ask.startsWith('x'))).toHaveLength(5)
})
