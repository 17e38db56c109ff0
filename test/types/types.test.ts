import { readFileSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { plan } from '../../compiler/index.js'
import { lossProgram } from '../../dsl/index.js'
import { instantiationsFor, messagesFor, wordsUsedIn } from './checker.js'
import { mistakes, sources } from './mistakes.js'
import { loss } from './realistic-loss.js'
import { messagesOfSevenFor } from './seven.js'

const indented = (messages: readonly string[]): string => messages.join('\n').replace(/^/gm, '    ')

// `npx vitest run test/types --update` writes the golden file anew; TypeScript 7 stands in it where it says something else than 6.
describe('what tsc says of common mistakes', () => {
  let [six, seven]: readonly (readonly (readonly string[])[])[] = []
  beforeAll(() => {
    six = Object.values(messagesFor(sources))
    seven = Object.values(messagesOfSevenFor(sources))
  }, 60_000)

  test('is as it was read and found good', async () => {
    const golden = Object.entries(mistakes).map(([mistake, line], i) => {
      const [said, saidBySeven] = [indented(six![i]!), indented(seven![i]!)]
      return `${mistake}\n\n  ${line}\n\n${said}\n${said === saidBySeven ? '' : `\n  TypeScript 7:\n\n${saidBySeven}\n`}`
    })
    await expect(golden.join('\n')).toMatchFileSnapshot('messages.golden.txt')
  })

  test.each(Object.keys(mistakes).map((mistake, i) => [mistake, i] as const))('%s: short enough to read', (_, i) => {
    for (const messages of [six![i]!, seven![i]!]) {
      expect(messages).toHaveLength(1) // no second message that only follows from the first
      const lines = messages[0]!.split('\n')
      expect(lines.length).toBeLessThanOrEqual(5)
      expect(messages[0]!.length).toBeLessThanOrEqual(600)
      // The last line says what is wrong: one sentence, or which axis or type is not among which.
      expect(lines.at(-1)!.length).toBeLessThanOrEqual(230)
    }
  })
})

const steps = (i: number): readonly string[] => [
  'd.exp',
  `(z) => d.add(z, y${String(i)})`,
  `d.softmax('t${String(i)}')`,
  '(z) => d.mul(2, z)',
  `(z) => d.sub(z, pipe(z, d.sum('t${String(i)}')))`,
  'd.clip(0.8, 1.2)',
  '(z) => d.select(d.less(z, 0), z, 1)',
  `d.rename({ t${String(i)}: 'key' })`,
  `d.rename({ key: 't${String(i)}' })`,
  'd.neg',
]

/** Operations of every kind in turn, ten in a pipe, each pipe over axes of its own: what tsc remembers of one does not help the next. */
const pipes = (operations: number): string =>
  [
    `import { pipe } from 'fp-ts/lib/function.js'\nimport * as d from 'axgrad/dsl'`,
    ...Array.from(
      { length: operations / steps(0).length },
      (_, i) =>
        `declare const x${String(i)}: d.Tensor<'b${String(i)}' | 't${String(i)}'>, y${String(i)}: d.Tensor<'b${String(i)}'>\n` +
        `export const z${String(i)} = pipe(x${String(i)}, ${steps(i).join(', ')})`,
    ),
  ].join('\n')

describe('an operation costs tsc at most 60 instantiations', () => {
  const text = readFileSync(new URL('realistic-loss.ts', import.meta.url), 'utf8')
  const operations = 2000
  let counts: Readonly<Record<string, number>> = {}
  beforeAll(() => {
    counts = instantiationsFor({ 'empty.ts': pipes(0), 'generated.ts': pipes(operations), 'realistic.ts': text })
  }, 60_000)

  test('of a file of 2,000 of them', () => {
    const cost = counts['generated.ts']! / operations
    expect(cost).toBeLessThan(60)
    expect(cost).toBeGreaterThan(1) // else nothing was counted
  })

  test('of a loss with a policy, written with the words of the library', () => {
    const words = wordsUsedIn(text, ['bool', 'defineLoss', 'f32', 'i32', 'presets'])
    expect(words).toBeGreaterThan(70)
    expect(counts['realistic.ts']! / words).toBeLessThan(60)
    expect(E.isRight(plan(lossProgram(loss)))).toBe(true)
  })
})
