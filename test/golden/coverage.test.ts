import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readGolden } from './golden-file.js'
import { rows } from './rows/index.js'

const files = readdirSync(new URL('.', import.meta.url))
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length))

describe('the golden files', () => {
  test('each have a row, and one only', () => {
    expect(rows.map(({ file }) => file).toSorted()).toEqual(files.toSorted())
  })

  test.each(rows)('$file: $cases cases', ({ file, cases }) => {
    expect(readGolden(file).cases).toHaveLength(cases)
  })

  test('are 89, of 694 cases', () => {
    expect(rows).toHaveLength(89)
    expect(rows.reduce((sum, { cases }) => sum + cases, 0)).toBe(694)
  })
})
