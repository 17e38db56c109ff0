import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { svgTexts } from '../svg.js'
import { axgrad, fixture } from './axgrad.js'
import { all, dangers, pageOf } from './report/page.js'

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

test('axgrad inspect prints the stages for a machine', async () => {
  const { code, out } = await axgrad('inspect', fixture('kink'), '--stage', 'groups', '--json')

  expect(code).toBe(0)
  expect(JSON.parse(out)).toEqual([{ name: expect.any(String), stages: { groups: expect.stringContaining('2 commands') } }])
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

describe('axgrad inspect --out', () => {
  const inFolder = (name: string): string => {
    mkdirSync('.tmp', { recursive: true })
    return join(mkdtempSync('.tmp/drawing-'), name)
  }
  const beside = (file: string): readonly string[] => readdirSync(dirname(file))

  test('draws what each kernel computes as an SVG', async () => {
    const file = inFolder('loss.svg')
    const ended = await axgrad('inspect', fixture('right'), '--out', file)
    const kernels = (await axgrad('inspect', fixture('right'), '--stage', 'groups')).out.match(/^\d+: \w+/gm) ?? []

    expect(ended).toEqual({ code: 0, out: '', err: '' })
    expect(kernels.length).toBeGreaterThan(2)
    expect(svgTexts(readFileSync(file, 'utf8'))).toEqual(
      expect.arrayContaining([
        ...kernels.map((kernel) => `kernel ${kernel}`),
        'inputs.logProbs',
        'outputs.loss',
        'outputs.gradient.logProbs',
      ]),
    )
    expect(beside(file)).toEqual(['loss.svg'])
  })

  test.each(['graph', 'canonical', 'groups'])('draws the stage %s as Graphviz reads it, over what was there', async (stage) => {
    const file = inFolder('loss.dot')
    writeFileSync(file, 'an older drawing')

    expect((await axgrad('inspect', fixture('kink'), '--stage', stage, '--out', file)).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toMatch(/^digraph \{[^]*\}\n$/)
    expect(readFileSync(file, 'utf8').includes('subgraph')).toBe(stage === 'groups')
  })

  test('draws a page that has every stage beneath the drawing', async () => {
    const file = inFolder('loss.html')
    expect(await axgrad('inspect', fixture('right'), '--out', file)).toEqual({ code: 0, out: '', err: '' })
    const page = pageOf(readFileSync(file, 'utf8'))
    expect(dangers(page)).toEqual([])
    expect(all(page, 'main > svg')).toHaveLength(1)
    expect(all(page, 'pre').map(({ textContent }) => textContent.length > 0)).toEqual(Array.from({ length: 7 }, () => true))
  })

  test('draws nothing of a graph with errors', async () => {
    const file = inFolder('loss.svg')
    const { code, err } = await axgrad('inspect', fixture('faulty'), '--only', 'two mistakes', '--out', file)

    expect(code).toBe(1)
    expect(err).toContain("did you mean 'time'?")
    expect(beside(file)).toEqual([])
  })

  test.each([
    ['another ending', ['kink'], 'loss.png', "the file's ending must be one of '.dot', '.svg', '.html'"],
    ['no ending', ['kink'], 'loss', "the file's ending must be one of '.dot', '.svg', '.html'"],
    ['a folder that is not there', ['kink'], 'nowhere/loss.svg', 'the file cannot be written: ENOENT'],
    ['several losses', ['nan'], 'loss.svg', "exports 'log', 'fine'"],
    ['a stage that is not drawn', ['kink', '--stage', 'wgsl'], 'loss.svg', "only one of 'graph', 'canonical', 'groups' is drawn"],
    ['several stages', ['kink', '--stage', 'graph', 'groups'], 'loss.svg', "only one of 'graph', 'canonical', 'groups' is drawn"],
  ])('refuses %s in three lines, and leaves nothing behind', async (_, [name = '', ...flags], file, because) => {
    const path = inFolder(file)
    const { code, err } = await axgrad('inspect', fixture(name), ...flags, '--out', path)

    expect(code).toBe(2)
    expect(err.trim().split('\n')).toHaveLength(3)
    expect(err).toContain(because)
    expect(beside(path.replace('nowhere/', ''))).toEqual([])
  })

  test('refuses a folder in place of a file', async () => {
    const path = inFolder('loss.svg')
    mkdirSync(path)
    const { code, err } = await axgrad('inspect', fixture('kink'), '--out', path)

    expect([code, err.trim().split('\n').length]).toEqual([2, 3])
    expect(beside(path)).toEqual(['loss.svg'])
  })
})
