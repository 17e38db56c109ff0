import { afterAll, describe, expect, test } from 'vitest'
import { checkRow } from './check.js'
import { readings } from './reading.js'
import type { Row } from './row.js'
import { rows } from './rows/index.js'

/** Every case of the files of a peer, by every reading. A case is made ready, and planned, once for all of them. */
export const describeGolden = (peer: string): void => {
  const opened = Object.entries(readings).map(([name, open]) => ({ name, reading: open() }))
  afterAll(() => Promise.all(opened.flatMap(({ reading: { close } }) => (close === undefined ? [] : [close()]))))

  describe.each(rows.filter(({ file }) => file.startsWith(`${peer}_`)))('$file: $cases cases', (row) => {
    let cases: ReturnType<Row['prepared']> | undefined
    afterAll(() => (cases = undefined))

    test.each(opened)('$name', async ({ reading }) => {
      cases ??= row.prepared()
      const checked = await checkRow(reading, row, cases)
      expect(checked.filter(({ errors, wrong }) => errors.length + wrong.length > 0)).toEqual([])
      expect(checked).toHaveLength(row.cases)
    })
  })
}
