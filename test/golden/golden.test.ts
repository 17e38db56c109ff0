import { afterAll, describe, expect, test } from 'vitest'
import { graphErrors, renderGraphError } from '../../dsl/index.js'
import { differences, expectedByPath, toleranceFor } from './close.js'
import { readGolden } from './golden-file.js'
import { readings } from './reading.js'
import { rows } from './rows/index.js'

afterAll(async () => {
  for (const { close } of readings) await close?.()
})

describe.each(readings.map((reading) => ({ reading, name: reading.name })))('$name', ({ reading }) => {
  test.each(rows)('$file: $cases cases', async ({ file, cases, rtol = 0, without = [], prepare }) => {
    const golden = readGolden(file)
    const ran = await Promise.all(
      golden.cases.map(async (c, i) => {
        const { program, inputs } = prepare(c)
        expect(graphErrors(program).map(renderGraphError)).toEqual([])
        const expected = new Map([...expectedByPath(c.outputs)].filter(([path]) => !without.includes(path)))
        const { rtol: own, ...rest } = reading.tolerance
        const tolerance = toleranceFor(c, expected, { ...rest, rtol: Math.max(own, rtol) })
        const wrong = differences(expected, await reading.run(program, inputs), tolerance)
        expect({ case: i, wrong }).toEqual({ case: i, wrong: [] })
        return i
      }),
    )
    expect(ran).toHaveLength(cases)
  })
})
