import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pages } from '../../scripts/pages.js'
import { root } from './page.js'

test('the pages that are read off the code are what npm run pages writes', async () => {
  const written = Object.entries(await pages())
  expect(written.length).toBeGreaterThan(20)
  expect(written.filter(([path, text]) => readFileSync(join(root, path), 'utf8') !== text).map(([path]) => path)).toEqual([])
})
