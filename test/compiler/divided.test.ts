import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { costOfPlan, divided, interpret, type Plan } from '../../compiler/index.js'
import { exp, f32, i32, less, max, maskedMean, minOver, mul, program, sizeOf, sizes, sub, sum, toF32, type Value } from '../../dsl/index.js' // prettier-ignore
import { law } from '../law.js'
import { right } from '../right.js'
import { planned } from '../backends/opened.js'

/** Of whole numbers, whose sums are exact in any order. */
const wholes = (...sizes: readonly number[]): Value => ({
  sizes,
  data: Float32Array.from({ length: sizes.reduce((count, n) => count * n, 1) }, (_, i) => ((i * 31) % 17) - 8),
})

const folds = program({
  inputs: { x: f32('row', 'k'), n: i32('row', 'k'), y: f32({ row: sizeOf('row'), column: 5 }) },
  body: ({ x, n, y }) => ({
    outputs: {
      whole: sum('row', 'k')(x),
      count: sum('row', 'k')(n),
      most: max('row', 'k')(x),
      least: minOver('row', 'k')(mul(x, toF32(n))),
      mean: pipe(x, maskedMean(less(n, 3), 'row', 'k')),
      columns: sum('row')(y),
      highest: max('row')(y),
    },
  }),
})

/** In 64 parts. */
const inParts = <I, S, O>(plan: Plan<I, S, O>): Plan<I, S, O> => divided(plan, { partsFor: () => 64 }).plan

const made = <I, S, O>(plan: Plan<I, S, O>, rows: number, columns: number): string =>
  JSON.stringify(
    right(interpret(plan)({ x: wholes(rows, columns), n: wholes(rows, columns), y: wholes(rows, 5) } as never)).outputs,
    (_, value: unknown) => (value === Infinity ? '∞' : value === -Infinity ? '−∞' : value),
  )

const size = fc.constantFrom(0, 1, 2, 63, 64, 65, 127, 128, 129, 200)

law(
  'folds in parts are the folds, at any sizes',
  fc.property(size, fc.nat({ max: 4 }), (rows, columns) => {
    expect(made(inParts(planned(folds)), rows, columns)).toBe(made(planned(folds), rows, columns))
  }),
  { runs: 40 },
)

const commandsOf = ({ commands, kernels }: Plan): readonly string[] =>
  commands.map((command) => (command.tag === 'copy' ? 'copy' : `${kernels[command.kernel]!.name} ${command.extents.map(({ text }) => text).join(' ')}`)) // prettier-ignore

const summing = program({ inputs: { x: f32('row') }, body: ({ x }) => ({ outputs: { y: pipe(sub(x, 1), exp, sum('row')) } }) })

test('a sum to one number is 64 sums, and one of them', () => {
  expect(commandsOf(inParts(planned(summing)))).toEqual(['sum_0_parts 64', 'sum_0 '])
})

test('it costs what it did, the parts but for', () => {
  const bound = new Map(Object.entries({ row: 6400 }))
  const numbers = (plan: Plan): readonly (number | undefined)[] => {
    const { reads, writes, flops } = costOfPlan(plan)
    return [reads, writes, flops].map((size) => sizes.evaluateSize(size, bound))
  }
  const [reads, writes, flops] = numbers(planned(summing))
  expect(numbers(inParts(planned(summing)))).toEqual([reads! + 4 * 64, writes! + 4 * 64, flops! + 64])
})

test('what side by side folds is still one launch, in each half', () => {
  const p = program({
    inputs: { x: f32('row'), y: f32('row') },
    body: ({ x, y }) => ({ outputs: { x: sum('row')(x), y: sum('row')(y) } }),
  })
  const { commands } = inParts(planned(p))
  expect(commands.map((command) => command.tag === 'dispatch' && command.beside)).toEqual([false, true, false, true])
})

test('what has rows enough, or is small, is left as it is', () => {
  const p = program({
    inputs: { x: f32('row', 'k'), y: f32({ row: 128, k: 16 }), w: f32({ k: 2048, row: 128 }) },
    body: ({ x, y, w }) => ({ outputs: { rows: sum('k')(x), small: sum('row', 'k')(y), wide: sum('row')(w) } }),
  })
  expect(commandsOf(inParts(planned(p)))).toEqual(commandsOf(planned(p)))
})
