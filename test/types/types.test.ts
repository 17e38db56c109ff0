import { expect, test } from 'vitest'
import { instantiationsFor, messagesFor } from './checker.js'

const prelude = `
import { pipe } from 'fp-ts/lib/function.js'
import * as d from 'axgrad/dsl'
import { add, and, contract, exp, f32, gather, less, mul, program, select, softmax, sum, type Scalar, type Tensor } from 'axgrad/dsl'
declare const x: Tensor<'batch' | 'time'>
declare const perVocab: Tensor<'batch' | 'vocab'>
declare const perBatch: Tensor<'batch'>
declare const ids: Tensor<'batch', 'i32'>
declare const mask: Tensor<'batch' | 'time', 'bool'>
declare const heads: Tensor<'batch' | 'time' | 'dim'>
`

/** Common mistakes, one a source. */
const mistakes: Readonly<Record<string, string>> = {
  'a misspelt axis in a sum': `export const y = pipe(x, sum('tiem'))`,
  'an axis that is summed twice': `export const y = pipe(x, sum('time'), exp, sum('time'))`,
  'a softmax over an axis that is not there': `export const y = pipe(x, softmax('vocab'))`,
  'axes that do not nest': `export const y = add(x, perVocab)`,
  'an integer beside a float': `export const y = mul(x, ids)`,
  'a comparison of what does not nest': `export const y = less(x, perVocab)`,
  'numbers where bools are meant': `export const y = and(x, x)`,
  'a condition that is not a bool': `export const y = select(x, x, 0)`,
  'a function of floats on integers': `export const y = exp(ids)`,
  'ids that are floats': `export const y = pipe(x, gather('time')(x))`,
  'an input that the program does not declare': `export const p = program({ inputs: { logProbs: f32('batch') }, body: ({ logProb }) => ({ outputs: { loss: logProb } }) })`,
  'a loss that is not a scalar': `export const loss: Scalar = pipe(x, sum('time'))`,
  'a mask with an axis that is not there': `export const y = pipe(perVocab, d.maskedMean(mask, 'batch'))`,
  'a variance that does not say its divisor': `export const y = pipe(x, d.variance('time'))`,
  'keys with an axis that queries lack': `export const y = d.causalAttention('time', 'dim')(pipe(heads, sum('batch')), heads, heads)`,
  'a contraction over an axis that one side lacks': `export const y = contract('time')(x, perVocab)`,
}

const fileOf = (i: number): string => `mistake-${String(i)}.ts`

test('what tsc says of common mistakes is short enough to read', async () => {
  const entries = Object.entries(mistakes)
  const said = messagesFor(Object.fromEntries(entries.map(([, line], i) => [fileOf(i), `${prelude}${line}\n`])))
  const indented = (i: number): string => said[fileOf(i)]!.join('\n').replace(/^/gm, '    ')
  const golden = entries.map(([mistake, line], i) => `${mistake}\n\n  ${line}\n\n${indented(i)}\n`)
  await expect(golden.join('\n')).toMatchFileSnapshot('messages.golden.txt')
})

const steps = (i: number): readonly string[] => [
  'exp',
  `(z) => add(z, y${String(i)})`,
  `softmax('t${String(i)}')`,
  '(z) => mul(2, z)',
  `(z) => d.sub(z, pipe(z, sum('t${String(i)}')))`,
  'd.clip(0.8, 1.2)',
  '(z) => select(less(z, 0), z, 1)',
  `d.rename({ t${String(i)}: 'key' })`,
  `d.rename({ key: 't${String(i)}' })`,
  'd.neg',
]

/** Operations of every kind in turn, ten in a pipe, each pipe over axes of its own: what tsc remembers of one does not help the next. */
const pipes = (operations: number): string =>
  Array.from(
    { length: operations / steps(0).length },
    (_, i) =>
      `declare const x${String(i)}: Tensor<'b${String(i)}' | 't${String(i)}'>, y${String(i)}: Tensor<'b${String(i)}'>\n` +
      `export const z${String(i)} = pipe(x${String(i)}, ${steps(i).join(', ')})`,
  ).join('\n')

test('an operation of a long pipe costs tsc at most 60 instantiations', () => {
  const operations = 500
  const cost = (instantiationsFor(prelude + pipes(operations)) - instantiationsFor(prelude + pipes(0))) / operations
  expect(cost).toBeLessThan(60)
  expect(cost).toBeGreaterThan(1) // else nothing was counted
})
