import { add, contract, f32, mul, program, type Program, softmax, sum } from '../dsl/index.js'

/** A program, and what somebody would write in its place. */
export interface Case {
  readonly program: Program<unknown, unknown, unknown>
  /** Of the inputs in their order, then of the output. */
  readonly elements: readonly number[]
  /** The best by hand is the best of these: its file, what its sizes say, and its workgroups. */
  readonly byHand: readonly { readonly file: string; readonly words: readonly number[]; readonly grid: readonly [number, number?] }[]
}

const [n, rows, columns, many] = [512, 4096, 512, 2 ** 21]

export const cases: Readonly<Record<string, Case>> = {
  'product 512³': {
    program: program({
      inputs: { x: f32({ row: n, k: n }), y: f32({ k: n, column: n }) },
      body: ({ x, y }) => ({ outputs: { z: contract('k')(x, y) } }),
    }),
    elements: [n * n, n * n, n * n],
    byHand: [{ file: 'product', words: [n], grid: [n / 64, n / 64] }],
  },
  'sum [4096, 512]': {
    program: program({
      inputs: { x: f32({ row: rows, column: columns }) },
      body: ({ x }) => ({ outputs: { z: sum('column')(x) } }),
    }),
    elements: [rows * columns, rows],
    byHand: [{ file: 'sum', words: [rows, columns], grid: [rows / 64] }],
  },
  'softmax [4096, 512]': {
    program: program({
      inputs: { x: f32({ row: rows, column: columns }) },
      body: ({ x }) => ({ outputs: { z: softmax('column')(x) } }),
    }),
    elements: [rows * columns, rows * columns],
    byHand: [{ file: 'softmax', words: [rows, columns], grid: [rows / 64] }],
  },
  'x·y + x, 2²¹': {
    program: program({
      inputs: { x: f32({ i: many }), y: f32({ i: many }) },
      body: ({ x, y }) => ({ outputs: { z: add(mul(x, y), x) } }),
    }),
    elements: [many, many, many],
    byHand: [
      { file: 'elementwise', words: [many], grid: [many / 64] },
      { file: 'elementwise-4', words: [many], grid: [many / 256] },
    ],
  },
}
