import { expect, test } from 'vitest'
import { acquire, usualSettings } from '../../../backends/webgpu/acquire.js'
import { hasSubgroups, type SubgroupFacts } from '../../../backends/webgpu/subgroups.js'
import { must } from '../opened.js'

const facts = (feature: string, sizes: SubgroupFacts['adapterInfo']): SubgroupFacts => ({
  features: new Set([feature]),
  adapterInfo: sizes,
})

test('subgroups of one size join rows', () => {
  expect(hasSubgroups(facts('subgroups', { subgroupMinSize: 32, subgroupMaxSize: 32 }))).toBe(true)
})

test.each([
  ['whose size the driver chooses', facts('subgroups', { subgroupMinSize: 8, subgroupMaxSize: 32 })],
  ['whose size is not told', facts('subgroups', {})],
  ['that the device was not asked for', facts('timestamp-query', { subgroupMinSize: 32, subgroupMaxSize: 32 })],
])('subgroups %s do not', (_, of) => {
  expect(hasSubgroups(of)).toBe(false)
})

test.each([
  ['the laws of rows are tried by them on the software adapter', 'adapter', true],
  ['and without them within the least limits', 'minimum', false],
] as const)('%s', async (_, limitsOf, expected) => {
  const { device, release } = await must(acquire('software', { ...usualSettings(), limitsOf }))
  const has = hasSubgroups(device)
  await release()
  expect(has).toBe(expected)
})
