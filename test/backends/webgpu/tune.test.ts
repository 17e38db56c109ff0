import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { expect, test } from 'vitest'
import { type Measure, type Schedule, tune, type Trial } from '../../../backends/webgpu/index.js'
import { right } from '../../right.js'

/** Seconds by what a schedule is, and what was asked. */
const recording = (seconds: (schedule: Schedule) => number) => {
  const asked: Omit<Trial, 'seconds'>[] = []
  const measure: Measure<never> = (schedule, sample) => {
    asked.push({ schedule, sample })
    return TE.right(seconds(schedule))
  }
  return { asked, measure }
}

test('the fastest tile is kept, and with it the fastest without an edge', async () => {
  const { asked, measure } = recording(({ tile, whole }) => Math.abs(tile.outer * tile.inner - 32) + (whole?.outer === 4 ? 1 : 2))
  const { schedule, trials } = right(await tune('software', measure)())
  expect(schedule).toEqual({ tile: { outer: 8, inner: 4 }, whole: { outer: 4, inner: 16 } })
  expect(trials.map(({ seconds: _, ...trial }) => trial)).toEqual(asked)
  expect(asked.filter(({ sample }) => sample === 'edged').every(({ schedule: { whole } }) => whole === undefined)).toBe(true)
})

test('what is no faster without an edge is left out', async () => {
  const { measure } = recording(({ tile }) => tile.outer)
  expect(right(await tune('software', measure)()).schedule).toEqual({ tile: { outer: 4, inner: 4 } })
})

test('graphics hardware is measured with workgroups that share, within what every device has', async () => {
  const { asked, measure } = recording(({ shares }) => (shares === undefined ? 2 : 1))
  expect(right(await tune('hardware', measure)()).schedule.shares).toEqual({ lanes: 16, depth: 16 })
  for (const { schedule } of asked) {
    const { tile, whole = tile, shares = { lanes: 1, depth: 0 } } = schedule
    for (const { outer, inner } of [tile, whole]) {
      expect(4 * shares.depth * shares.lanes * (outer + inner)).toBeLessThanOrEqual(16_384)
      expect(shares.lanes ** 2).toBeLessThanOrEqual(256)
    }
  }
})

test('a device that fails is not measured further', async () => {
  const asked: Schedule[] = []
  const tuned = await tune<string>('software', (schedule) => {
    asked.push(schedule)
    return TE.left('lost')
  })()
  expect(tuned).toEqual(E.left('lost'))
  expect(asked).toHaveLength(1)
})
