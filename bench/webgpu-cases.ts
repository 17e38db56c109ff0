import { add, contract, f32, mul, program, type Program, softmax, sum } from '../dsl/index.js'

/** An element in float64, and how far from it one in float32 may be. */
export type Exact = readonly [value: number, within: number]

/** A program, and what somebody would write in its place. */
export interface Case {
  readonly program: Program<unknown, unknown, unknown>
  /** Of the inputs in their order, then of the output. */
  readonly elements: readonly number[]
  /** The best by hand is the best of these: its file, what its sizes say, and its workgroups. */
  readonly byHand: readonly { readonly file: string; readonly words: readonly number[]; readonly grid: readonly [number, number?] }[]
  /** What comes out, of the inputs in their order. */
  readonly exact: (x: Float32Array, y: Float32Array) => readonly Exact[]
}

const [n, rows, columns, many] = [512, 4096, 512, 2 ** 21]

/** The relative error of one rounding. */
const rounding = 2 ** -24

/** Each sum may be as far off as one rounding of all that is added, for each addition and for what is added. */
const sumOf = (terms: Float64Array): Exact => [
  terms.reduce((all, term) => all + term, 0),
  (terms.length + 1) * rounding * terms.reduce((all, term) => all + Math.abs(term), 0),
]

const rowsOf = (x: Float32Array, length: number): readonly Float64Array[] =>
  Array.from({ length: x.length / length }, (_, row) => Float64Array.from(x.subarray(row * length, (row + 1) * length)))

const softmaxOf = (row: Float64Array): readonly Exact[] => {
  const powers = row.map((x) => Math.exp(x))
  const total = powers.reduce((all, power) => all + power, 0)
  // The sum's roundings and 16 more: WGSL's own exp may be off by 3 + 2·|x| units in the last place, and here |x| ≤ 2.
  return [...powers].map((power) => [power / total, (row.length + 16) * rounding * (power / total)])
}

const rowsSoftmax = program({
  inputs: { x: f32({ row: rows, column: columns }) },
  body: ({ x }) => ({ outputs: { z: softmax('column')(x) } }),
})

export const cases: Readonly<Record<string, Case>> = {
  'product 512³': {
    program: program({
      inputs: { x: f32({ row: n, k: n }), y: f32({ k: n, column: n }) },
      body: ({ x, y }) => ({ outputs: { z: contract('k')(x, y) } }),
    }),
    elements: [n * n, n * n, n * n],
    byHand: [{ file: 'product', words: [n], grid: [n / 64, n / 64] }],
    exact: (x, y) => {
      const columnsOfY = Array.from({ length: n }, (_, column) => Float64Array.from({ length: n }, (_, k) => y[k * n + column]!))
      return rowsOf(x, n).flatMap((row) => columnsOfY.map((column) => sumOf(row.map((value, k) => value * column[k]!))))
    },
  },
  'sum [4096, 512]': {
    program: program({
      inputs: { x: f32({ row: rows, column: columns }) },
      body: ({ x }) => ({ outputs: { z: sum('column')(x) } }),
    }),
    elements: [rows * columns, rows],
    byHand: [{ file: 'sum', words: [rows, columns], grid: [rows / 64] }],
    exact: (x) => rowsOf(x, columns).map(sumOf),
  },
  'softmax [4096, 512]': {
    program: rowsSoftmax,
    elements: [rows * columns, rows * columns],
    byHand: [{ file: 'softmax', words: [rows, columns], grid: [rows / 64] }],
    exact: (x) => rowsOf(x, columns).flatMap(softmaxOf),
  },
  'softmax, our exp': {
    program: rowsSoftmax,
    elements: [rows * columns, rows * columns],
    byHand: [{ file: 'softmax-exp', words: [rows, columns], grid: [rows / 64] }],
    exact: (x) => rowsOf(x, columns).flatMap(softmaxOf),
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
    exact: (x, y) => Array.from(x, (value, i): Exact => sumOf(Float64Array.of(value * y[i]!, value))),
  },
}
