import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const folder = 'algorithms/'

const withoutComments = (text: string): string => text.replace(/\/\*[^]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')

/** The tables that take a system's settings by its name; MemPO is a loss, too, and so only its name in quotes is a system's. */
const tables = /(^|\/)presets\.ts$|^catalogue\//

test('nothing but the tables of presets knows a system by its name', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts') && !tables.test(file))
  const named = files.filter((file) =>
    /\b(verl|trl|minimind)|Verl|Trl|Mini[mM]ind|['"]mempo['"]/.test(withoutComments(readFileSync(folder + file, 'utf8'))),
  )
  expect(files.length).toBeGreaterThan(50)
  expect(named).toEqual([])
})
