import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { expect, test } from 'vitest'
import { type Measure, tune, type Trial } from '../../../backends/webgpu/index.js'
import type { Tiling } from '../../../compiler/index.js'
import { right } from '../../right.js'

/** Seconds by a tiling, and what was asked. */
const recording = (seconds: (tiling: Tiling) => number) => {
  const asked: Omit<Trial, 'seconds'>[] = []
  const measure: Measure<never> = (tiling, sample) => {
    asked.push({ tiling, sample })
    return TE.right(seconds(tiling))
  }
  return { asked, measure }
}

test('the fastest tile is kept, and with it the fastest without an edge', async () => {
  const { asked, measure } = recording(({ tile, whole }) => Math.abs(tile.outer * tile.inner - 32) + (whole?.outer === 4 ? 1 : 2))
  const { tiling, trials } = right(await tune('software', measure)())
  expect(tiling).toEqual({ tile: { outer: 8, inner: 4 }, whole: { outer: 4, inner: 16 } })
  expect(trials.map(({ seconds: _, ...trial }) => trial)).toEqual(asked)
  expect(asked.filter(({ sample }) => sample === 'edged').every(({ tiling: { whole } }) => whole === undefined)).toBe(true)
})

test('what is no faster without an edge is left out', async () => {
  const { measure } = recording(({ tile }) => tile.outer)
  expect(right(await tune('software', measure)()).tiling).toEqual({ tile: { outer: 4, inner: 4 } })
})

test('graphics hardware is measured with workgroups that share, within what every device has', async () => {
  const { asked, measure } = recording(({ shares }) => (shares === undefined ? 2 : 1))
  expect(right(await tune('hardware', measure)()).tiling.shares).toEqual({ lanes: 16, depth: 16 })
  for (const { tiling } of asked) {
    const { tile, whole = tile, shares = { lanes: 1, depth: 0 } } = tiling
    for (const { outer, inner } of [tile, whole]) {
      expect(4 * shares.depth * shares.lanes * (outer + inner)).toBeLessThanOrEqual(16_384)
      expect(shares.lanes ** 2).toBeLessThanOrEqual(256)
    }
  }
})

test('a device that fails is not measured further', async () => {
  const asked: Tiling[] = []
  const tuned = await tune<string>('software', (tiling) => {
    asked.push(tiling)
    return TE.left('lost')
  })()
  expect(tuned).toEqual(E.left('lost'))
  expect(asked).toHaveLength(1)
})
