import { afterAll, describe, expect, test } from 'vitest'
import { checkRow } from './check.js'
import { readings, type ReadingName } from './reading.js'
import { rows } from './rows/index.js'

/** Every case of every file by one reading. */
export const describeGolden = (name: ReadingName): void => {
  const reading = readings[name]()
  afterAll(reading.close ?? (() => undefined))

  describe(reading.name, () => {
    test.each(rows)('$file: $cases cases', async (row) => {
      const checked = await checkRow(reading, row)
      expect(checked.filter(({ errors, wrong }) => errors.length + wrong.length > 0)).toEqual([])
      expect(checked).toHaveLength(row.cases)
    })
  })
}
