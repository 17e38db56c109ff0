import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { described } from '../../../cli/run/described.js'
import { settingsIn } from '../../../cli/run/json-schema.js'
import { schemaText } from '../../../scripts/config-schema.js'
import { folder } from '../../training/run/folders.js'
import { readConfigFile } from '../../../cli/run/config-file.js'

test('config.schema.json is what npm run schema writes', async () => {
  expect(readFileSync('config.schema.json', 'utf8')).toBe(await schemaText())
})

test('every setting is described, by itself or with what it is part of, and nothing else is', () => {
  const paths = settingsIn().map(({ path }) => path)
  const isDescribed = (path: string): boolean => path in described || path.slice(0, path.lastIndexOf('.')) in described
  expect(paths.length).toBeGreaterThan(60)
  expect(paths.filter((path) => !isDescribed(path))).toEqual([])
  expect(Object.keys(described).filter((path) => !paths.includes(path))).toEqual([])
})

test('a config may name its schema', async () => {
  const file = join(folder(), 'config.json')
  writeFileSync(file, JSON.stringify({ $schema: 'node_modules/axgrad/config.schema.json', seed: 3 }))
  expect(await readConfigFile(file)()).toMatchObject({ right: { seed: 3 } })
  expect(await readConfigFile(file)()).not.toHaveProperty('right.$schema')
})
