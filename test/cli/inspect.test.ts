import { expect, test } from 'vitest'
import { axgrad, fixture } from './axgrad.js'

test('axgrad inspect shows the graph of a loss and of its gradient', async () => {
  const { code, out } = await axgrad('inspect', fixture('kink'))

  expect(code).toBe(0)
  expect(out.match(/^## \w+/gm)).toEqual(['## graph', '## canonical', '## groups', '## memory', '## loops', '## wgsl', '## wat'])
  expect(out).toMatch(/outputs\.loss = %\d+/)
  expect(out).toMatch(/outputs\.gradient\.x = %\d+/)
})

test('axgrad inspect reports what is wrong with a graph', async () => {
  const { code, err } = await axgrad('inspect', fixture('faulty'), '--only', 'two mistakes')

  expect(code).toBe(1)
  expect(err).toContain("did you mean 'time'?")
})

test('axgrad inspect shows the stages that are asked for', async () => {
  const { code, out } = await axgrad('inspect', fixture('kink'), '--stage', 'wgsl', 'groups')

  expect(code).toBe(0)
  expect(out.match(/^## \w+/gm)).toEqual(['## groups', '## wgsl'])
  expect(out).toContain('@compute')
})

test('axgrad inspect says which loss throws, and shows the others', async () => {
  const { code, out, err } = await axgrad('inspect', fixture('throws'), '--stage', 'graph')

  expect(code).toBe(2)
  expect(err).toContain('its function throws')
  expect(out).toMatch(/^after\n[^]*\nbefore\n/)
})

test('axgrad inspect refuses a loss that is no scalar', async () => {
  const { code, err } = await axgrad('inspect', fixture('faulty'), '--only', 'per token')

  expect(code).toBe(2)
  expect(err).toContain('it must be f32[] and is f32[time: time]')
})

test('axgrad inspect names the stages when it is asked for another', async () => {
  const { code, err } = await axgrad('inspect', fixture('kink'), '--stage', 'spirv')

  expect(code).toBe(2)
  expect(err).toContain('graph, canonical, groups, memory, loops, wgsl, wat')
})
