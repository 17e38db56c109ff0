import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { axgrad, axgradAlone, fixture } from './axgrad.js'

const written = (text: string): string => {
  mkdirSync('.tmp', { recursive: true })
  const file = join(mkdtempSync('.tmp/loss-'), 'loss.ts')
  writeFileSync(file, text)
  return file
}

describe('axgrad check', () => {
  test('passes a right gradient and shows where gradients flow', async () => {
    const { code, out } = await axgradAlone('check', fixture('right'), '--runs', '20')

    expect(code).toBe(0)
    expect(out).toMatch(/^passed {2}importance weighted\n {2}20 samples, \d+ derivatives compared, 0 left out at kinks\n/)
    expect(out).toContain('logProbs     gradient')
    expect(out).toContain(`oldLogProbs  stopped at test/cli/fixtures/right.ts:7:`)
  })

  test("checks a loss of the library's by its name", async () => {
    const { code, out } = await axgrad('check', 'dapo', '--runs', '5')

    expect(code).toBe(0)
    expect(out).toMatch(/^passed {2}dapo\n/)
  })

  test('counts the points at a kink', async () => {
    const { code, out } = await axgrad('check', fixture('kink'), '--runs', '20', '--json')

    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject([{ name: 'kink', runs: 20, inputs: [{ input: 'x', kinks: expect.any(Number) }] }])
    expect(out).toMatch(/"kinks": [1-9]/)
  })

  test('fails a loss that is no number, and its replay finds the same counterexample', async () => {
    const { code, out } = await axgrad('check', fixture('nan'))
    const [, replay] = /replay: npx axgrad (.*)/.exec(out) ?? []
    const again = await axgrad(...(replay ?? '').split(' '))

    expect(code).toBe(1)
    expect(out).toContain('FAILED  log')
    expect(out).toContain('passed  fine')
    expect(again.code).toBe(1)
    expect(again.out).toContain(/(the loss is [^]*?)\n {2}try/.exec(out)![1])
    expect(again.out).not.toContain('fine')
  })

  test('passes it where it is said to be used', async () => {
    expect((await axgrad('check', fixture('nan'), '--only', 'log', '--range', 'x=0.5,2', '--runs', '10')).code).toBe(0)
  })

  test('writes a number that JSON does not have as a word', async () => {
    const { code, out } = await axgrad('check', fixture('nan'), '--only', 'log', '--json')

    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject([
      {
        failure: {
          tag: 'notFinite',
          what: 'the loss',
          value: '-Infinity',
          counterexample: { x: { data: [0] } },
        },
      },
    ])
  })

  test('reports all mistakes of a graph at once, and a loss that is no scalar', async () => {
    const { code, out } = await axgradAlone('check', fixture('faulty'))

    expect(code).toBe(1)
    expect(out).toContain('neither operand has all the axes of the other')
    expect(out).toMatch(/did you mean 'time'\?/)
    expect(out).toMatch(/faulty\.ts:7:\d+/)
    expect(out).toContain("it must be a scalar f32 and is f32 with axes 'time'")
  })
})

describe('what is not a loss is refused in three lines', () => {
  test.each([
    ['a file that is not there', ['check', 'nowhere.ts'], 'there is no such file'],
    ['a file without a loss', ['check', fixture('none')], "it exports 'answer'"],
    ['a loss that is not there', ['check', fixture('nan'), '--only', 'lgo'], "exports the losses 'log', 'fine'"],
  ])('%s', async (_, args, because) => {
    const { code, err } = await axgrad(...args)

    expect(code).toBe(2)
    expect(err.trim().split('\n')).toHaveLength(3)
    expect(err).toContain(because)
  })

  test('a file that does not compile, and one that stops', async () => {
    const broken = await axgrad('check', written('export const loss = {\n  name: )\n'))
    const stops = await axgrad('check', written('throw new Error("no data")\n'))

    expect([broken.code, stops.code]).toEqual([2, 2])
    expect(broken.err).toMatch(/it does not compile: .*loss\.ts:2:8/)
    expect(stops.err).toContain('it stops while it is loaded: no data')
  })

  test('a loss that throws, and the others are checked', async () => {
    const { code, out, err } = await axgrad('check', fixture('throws'), '--runs', '3')

    expect([code, err.split('\n')[1]]).toEqual([2, '  because: its function throws: undefined is not a tensor'])
    expect(out).toMatch(/^passed {2}after\n[^]*\npassed {2}before\n/)
    expect(JSON.parse((await axgrad('check', fixture('throws'), '--runs', '3', '--json')).out)).toMatchObject([
      { name: 'after' },
      { name: 'before' },
    ])
    expect((await axgrad('check', fixture('throws'), '--only', 'bad')).out).toBe('')
  })
})

describe('bad usage', () => {
  test.each([
    ['no file', ['check']],
    ['an unknown option', ['check', fixture('kink'), '--fast']],
    ['a path that is none', ['check', fixture('kink'), '--path', 'garbage']],
    ['a size that is none', ['check', fixture('kink'), '--size', 'time=x']],
    ['runs that are no number', ['check', fixture('kink'), '--runs', 'many']],
    ['an unknown command', ['chekc']],
  ])('%s ends with 2', async (_, args) => {
    expect((await axgrad(...args)).code).toBe(2)
  })

  test.each([
    [0, ['check', '--help']],
    [1, ['check', fixture('nan'), '--only', 'log']],
    [2, ['chekc']],
  ])('the process ends with %i, as the command does', async (code, args) => {
    expect(await axgradAlone(...args)).toEqual(await axgrad(...args))
    expect((await axgrad(...args)).code).toBe(code)
  })

  test('help does not', async () => {
    const { code, out } = await axgrad('check', '--help')

    expect(code).toBe(0)
    expect(out).toContain('--range')
  })
})
