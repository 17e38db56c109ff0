import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { place } from '../training/run/folders.js'
import { axgrad, axgradAlone } from './axgrad.js'

test('axgrad new makes a loss that passes its check, can be inspected, and trains', async () => {
  const folder = place()
  const made = await axgrad('new', folder)
  expect(made).toMatchObject({ code: 0, err: '' })
  expect(readdirSync(folder).toSorted()).toEqual(['README.md', 'check.ts', 'config.json', 'loss.ts'])

  const file = join(folder, 'loss.ts')
  expect(await axgrad('check', file, '--runs', '20')).toMatchObject({ code: 0, err: '' })
  expect((await axgrad('inspect', file, '--stage', 'groups')).code).toBe(0)

  const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as { readonly reinforcement: object }
  const small = { model: { embed: 8, layers: 1, heads: 1, headDim: 4, ffn: 8 }, supervised: { stages: [{ steps: 2 }], rows: 4 } }
  const reinforcement = { ...config.reinforcement, lossFile: file, steps: 2, questions: 2, answers: 4 }
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ ...config, ...small, reinforcement, evaluation: { questions: 4 } }))
  expect(await axgrad('train', join(folder, 'config.json'), '--out', join(folder, 'run'))).toMatchObject({ code: 0, err: '' })
})

/** What the check of a folder says, and the code that it ends with. */
const checked = async (folder: string): Promise<readonly [unknown, string]> => {
  const before = process.exitCode
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  try {
    await import(join(process.cwd(), folder, 'check.ts'))
    return [process.exitCode, print.mock.calls.join('\n')]
  } finally {
    print.mockRestore()
    process.exitCode = before
  }
}

test('its check runs by itself, and fails where a gradient reaches what it should not', async () => {
  const [right, wrong] = [place(), place()]
  await axgrad('new', right)
  await axgrad('new', wrong)
  const loss = readFileSync(join(wrong, 'loss.ts'), 'utf8')
  writeFileSync(join(wrong, 'loss.ts'), loss.replace('stopGradient(given.advantages)', 'given.advantages'))

  expect(await checked(right)).toEqual([0, expect.stringMatching(/^passed/)])
  expect(await checked(wrong)).toEqual([1, expect.stringMatching(/^FAILED[^]*advantages/)])
})

test('axgrad new leaves a folder that is there as it is', async () => {
  const { code, err } = await axgradAlone('new', 'test')
  expect(code).toBe(2)
  expect(err).toBe('axgrad new test\n  because: there is something of this name already\n  try: give another name; nothing was changed\n')
})

test('a folder in a folder that is not there is refused in three lines', async () => {
  const { code, err } = await axgrad('new', join(place(), 'inner'))
  expect(code).toBe(2)
  expect(err.trimEnd().split('\n')).toHaveLength(3)
})
