import { pipe } from 'fp-ts/lib/function.js'
import { expect, test } from 'vitest'
import { moduleBytes } from '../../../../backends/cpu/compile.js'
import type { Kernel } from '../../../../compiler/index.js'
import {
  add,
  type AnyTensor,
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
  type TensorsOf,
  tokenLogProbs,
} from '../../../../dsl/index.js'
import { planned } from '../../opened.js'
import { decodeLoops, type InnerLoop } from './decode.js'

/** The innermost loops of a kernel, whose function in a module of its own stands before the three that run a list of commands. */
const loopsOf = (kernel: Kernel): readonly InnerLoop[] => decodeLoops(moduleBytes({ kernels: [kernel] })).at(-4) ?? []

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

type Given = TensorsOf<typeof inputs>

const bodies: Readonly<Record<string, (given: Given) => AnyTensor>> = {
  pointwise: ({ x, y, mask, scale }) => select(mask, mul(x, scale), add(sigmoid(x), y)),
  alongRows: ({ x }) => pipe(x, sum('column')),
  alongColumns: ({ x }) => pipe(x, sum('row')),
  everything: ({ x, y }) => pipe(mul(x, exp(y)), sum('row', 'column')),
  logSoftmax: ({ x }) => pipe(x, logSoftmax('column')),
  tokens: ({ x, picked }) => pipe(x, tokenLogProbs('column')(picked)),
  product: ({ x, weights }) => contract('column')(x, weights),
  byRows: ({ x, y }) => contract('row')(x, pipe(y, rename({ column: 'other' }))),
  byColumns: ({ x, y }) => contract('column')(x, pipe(y, rename({ row: 'other' }))),
  embedding: ({ table, ids }) => pipe(table, gather('id')(ids)),
  embeddingGradient: ({ x, ids }) => pipe(x, scatterAdd('id', ids, { size: 1000 })),
  places: ({ x }) => pipe(x, argMax('row')),
}

test.each(Object.entries(bodies))('the inner loops of every kernel of %s run in lanes', (_, body) => {
  const { kernels } = planned(program({ inputs, body: (given) => ({ outputs: { made: body(given) } }) }))
  expect(kernels.length).toBeGreaterThan(0)
  expect(kernels.filter((kernel) => !loopsOf(kernel).some(isVector)).map(({ name }) => name)).toEqual([])
})
