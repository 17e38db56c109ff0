import { pipe } from 'fp-ts/lib/function.js'
import { expect, test } from 'vitest'
import { moduleBytes } from '../../../../backends/cpu/compile.js'
import type { Kernel } from '../../../../compiler/index.js'
import {
  add,
  argMax,
  bool,
  contract,
  exp,
  f32,
  gather,
  i32,
  logSoftmax,
  mul,
  program,
  rename,
  scatterAdd,
  select,
  sigmoid,
  sum,
  tokenLogProbs,
} from '../../../../dsl/index.js'
import { planned } from '../../opened.js'
import { decodeLoops, type InnerLoop } from './decode.js'

/** The innermost loops of a kernel: its function is the last of a module of its own. */
const loopsOf = (kernel: Kernel): readonly InnerLoop[] => decodeLoops(moduleBytes({ kernels: [kernel] })).at(-1) ?? []

const isVector = (loop: InnerLoop): boolean => loop.some((name) => /^(v128|[if]\d+x\d+)\./.test(name))

const inputs = {
  x: f32('row', 'column'),
  y: f32('row', 'column'),
  mask: bool('row', 'column'),
  scale: f32('column'),
  weights: f32({ column: 64, out: 96 }),
  table: f32({ id: 1000, column: 64 }),
  ids: i32('row'),
  picked: i32('row'),
}

const p = program({
  inputs,
  body: ({ x, y, mask, scale, weights, table, ids, picked }) => ({
    outputs: {
      pointwise: select(mask, mul(x, scale), add(sigmoid(x), y)),
      alongRows: pipe(x, sum('column')),
      alongColumns: pipe(x, sum('row')),
      everything: pipe(mul(x, exp(y)), sum('row', 'column')),
      logSoftmax: pipe(x, logSoftmax('column')),
      tokens: pipe(x, tokenLogProbs('column')(picked)),
      product: contract('column')(x, weights),
      byRows: contract('row')(x, pipe(y, rename({ column: 'other' }))),
      byColumns: contract('column')(x, pipe(y, rename({ row: 'other' }))),
      embedding: pipe(table, gather('id')(ids)),
      embeddingGradient: pipe(x, scatterAdd('id', ids, { size: 1000 })),
      places: pipe(x, argMax('row')),
    },
  }),
})

test('the inner loops of every kernel that goes through memory in order run in lanes', () => {
  const { kernels } = planned(p)
  expect(kernels.length).toBeGreaterThan(10)
  expect(kernels.filter((kernel) => !loopsOf(kernel).some(isVector)).map(({ name }) => name)).toEqual([])
})
