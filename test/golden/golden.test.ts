import { afterAll, describe, expect, test } from 'vitest'
import { graphErrors, renderGraphError } from '../../dsl/index.js'
import { differences, expectedByPath, flat, toleranceFor } from './close.js'
import { inFloat32, readings } from './reading.js'
import { rows } from './rows/index.js'

afterAll(async () => {
  for (const { close } of readings) await close?.()
})

describe.each(readings.map((reading) => ({ reading, name: reading.name })))('$name', ({ reading }) => {
  test.each(rows)('$file: $cases cases', async ({ cases, inFloat32: coarse = [], without = [], prepared }) => {
    const ran = await Promise.all(
      prepared().map(async ({ golden, differs, program, inputs }, i) => {
        expect(graphErrors(program).map(renderGraphError)).toEqual([])
        const expected = new Map([...expectedByPath(golden.outputs)].filter(([path]) => !without.includes(path)))
        for (const [path, { ours }] of Object.entries(differs)) {
          expect(expected.get(path)).not.toEqual(flat(ours))
          expected.set(path, flat(ours))
        }
        const [own, float32] = [reading.tolerance, inFloat32].map((tolerance) => toleranceFor(golden, expected, tolerance))
        const wrong = differences(expected, await reading.run(program, inputs), (path) => (coarse.includes(path) ? float32! : own!))
        expect({ case: i, wrong }).toEqual({ case: i, wrong: [] })
        return i
      }),
    )
    expect(ran).toHaveLength(cases)
  })
})
