import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { expect, test } from 'vitest'
import { type Measure, tune, type Trial, type Tried } from '../../../backends/webgpu/index.js'
import { right } from '../../right.js'

/** Seconds by a schedule, and what was asked. */
const recording = (seconds: (tiling: Tried['tiling'], rowLanes?: number) => number) => {
  const asked: Omit<Trial, 'seconds'>[] = []
  const measure: Measure<never> = (tried, sample) => {
    asked.push({ tried, sample })
    return TE.right(seconds(tried.tiling, tried.rowLanes))
  }
  return { asked, measure }
}

test('the fastest tile is kept, and with it the fastest without an edge', async () => {
  const { asked, measure } = recording(({ tile, whole }) => Math.abs(tile.outer * tile.inner - 32) + (whole?.outer === 4 ? 1 : 2))
  const { best, trials } = right(await tune('software', measure)())
  expect(best).toEqual({ tiling: { tile: { outer: 8, inner: 4 }, whole: { outer: 4, inner: 16 } } })
  expect(trials.map(({ seconds: _, ...trial }) => trial)).toEqual(asked)
  expect(asked.filter(({ sample }) => sample === 'edged').every(({ tried }) => tried.tiling.whole === undefined)).toBe(true)
})

test('what is no faster without an edge is left out', async () => {
  const { measure } = recording(({ tile }) => tile.outer)
  expect(right(await tune('software', measure)()).best).toEqual({ tiling: { tile: { outer: 4, inner: 4 } } })
})

test('graphics hardware is measured with workgroups that share, within what every device has', async () => {
  const { asked, measure } = recording(({ shares }) => (shares === undefined ? 2 : 1))
  expect(right(await tune('hardware', measure)()).best.tiling.shares).toEqual({ lanes: 16, depth: 16 })
  for (const { tried } of asked) {
    const { tile, whole = tile, shares = { lanes: 1, depth: 0 } } = tried.tiling
    for (const { outer, inner } of [tile, whole]) {
      expect(4 * shares.depth * shares.lanes * (outer + inner)).toBeLessThanOrEqual(16_384)
      expect(shares.lanes ** 2).toBeLessThanOrEqual(256)
    }
  }
})

test('as many invocations share a row as are fastest, or none', async () => {
  const least = (wanted: number | undefined) => recording((_, rowLanes) => (rowLanes === wanted ? 1 : 2)).measure
  expect(right(await tune('hardware', least(128))()).best.rowLanes).toBe(128)
  expect(right(await tune('hardware', least(undefined))()).best.rowLanes).toBeUndefined()
})

test('a device that fails is not measured further', async () => {
  const asked: Tried[] = []
  const tuned = await tune<string>('software', (tried) => {
    asked.push(tried)
    return TE.left('lost')
  })()
  expect(tuned).toEqual(E.left('lost'))
  expect(asked).toHaveLength(1)
})
