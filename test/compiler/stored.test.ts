import * as fc from 'fast-check'
import { pipe } from 'fp-ts/lib/function.js'
import { expect, test } from 'vitest'
import { grad } from '../../autodiff/index.js'
import { evaluate } from '../../backends/cpu/evaluate.js'
import { plan, printKernel } from '../../compiler/index.js'
import { exp, f32, mul, nested, program, sin, stored, sum, type Tensor } from '../../dsl/index.js'
import { law } from '../law.js'
import { right } from '../right.js'

type Grid = Tensor<'row' | 'column'>

/** The sums both ways of one expression, which two kernels read. */
const sums = (of: (x: Grid) => Grid) =>
  program({
    inputs: { x: f32('row', 'column') },
    body: ({ x }) => ({ outputs: { rows: pipe(of(x), sum('column')), columns: pipe(of(x), sum('row')) } }),
  })

const timesComputed = (of: (x: Grid) => Grid): number =>
  right(plan(sums(of)))
    .kernels.map(printKernel)
    .join()
    .split('exp(').length - 1

test('what is stored is computed once, by one kernel; otherwise each reader computes it', () => {
  expect(timesComputed(exp)).toBe(2)
  expect(timesComputed((x) => stored(exp(x)))).toBe(1)
})

const anyGrid = fc.array(fc.array(fc.integer({ min: -8, max: 8 }), { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 4 })

law(
  'what is stored is what it was, and so is its gradient',
  fc.property(anyGrid, (rows) => {
    const slope = (of: (x: Grid) => Grid) =>
      program({
        inputs: { x: f32('row', 'column') },
        body: ({ x }) => ({ outputs: { slope: grad((x: Grid) => pipe(mul(of(x), of(x)), sum('row', 'column')))(x) } }),
      })
    const x = nested(rows)
    const within = (x: Grid): Grid => stored(sin(x))
    expect(right(evaluate(sums(within), { x })).outputs).toEqual(right(evaluate(sums(sin), { x })).outputs)
    expect(right(evaluate(slope(within), { x })).outputs).toEqual(right(evaluate(slope(sin), { x })).outputs)
  }),
  { runs: 30 },
)
