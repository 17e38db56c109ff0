import { pipe } from 'fp-ts/lib/function.js'
import { afterAll, expect, test } from 'vitest'
import { openCpu } from '../../../backends/cpu/index.js'
import { interpret } from '../../../compiler/index.js'
import {
  argMax,
  argMin,
  contract,
  f32,
  gather,
  type GivenFor,
  type HostTensor,
  i32,
  minOver,
  mul,
  pad,
  program,
  type Program,
  scatterAdd,
  sizeOf,
  slice,
  softmax,
  sum,
  u32,
} from '../../../dsl/index.js'
import { right } from '../../right.js'
import { agreeing, load, must, planned, some } from '../opened.js'

const device = openCpu()
afterAll(device.release)

type Outputs = Readonly<Record<string, HostTensor>>

/** What the device gives and what the interpreter gives. */
const both = async <I, S, O>(p: Program<I, S, O>, inputs: GivenFor<I>): Promise<readonly [Outputs, Outputs]> => {
  const loaded = await load(device, p)
  const made = await must(loaded.run(inputs))
  return [made as unknown as Outputs, right(interpret(planned(p))(inputs)).outputs as unknown as Outputs]
}

test('softmax over [5, 65]', async () => {
  const p = program({ inputs: { x: f32('batch', 'vocab') }, body: ({ x }) => ({ outputs: { y: softmax('vocab')(x) } }) })
  expect((await agreeing(p, await load(device, p), { x: some(5, 65) })).y.sizes).toEqual([5, 65])
})

const linear = program({
  inputs: { x: f32('batch', 'time'), w: f32({ time: 7, out: 5 }), ids: i32('batch') },
  body: ({ x, w, ids }) => ({
    outputs: {
      product: contract('time')(x, w),
      picked: pipe(x, gather('time')(ids)),
      summed: pipe(x, scatterAdd('group', ids, { size: 8 })),
      moved: pipe(x, slice('time', { from: 1, step: 2 }), pad('time', { before: 2, after: sizeOf('batch') })),
      total: pipe(x, sum('batch', 'time')),
    },
  }),
})

test('the place of an extreme is that of the first, and a NaN wins over ∞', async () => {
  const p = program({
    inputs: { x: f32({ batch: 5, time: 4 }), n: u32({ batch: 5, time: 4 }), none: f32('none') },
    body: ({ x, n, none }) => ({
      outputs: {
        most: argMax('time')(x),
        least: argMin('time')(x),
        mostOfWhole: argMax('time')(n),
        leastOfWhole: argMin('time')(n),
        smallest: minOver('time')(x),
        nowhere: argMin('none')(none),
        nothing: minOver('none')(none),
      },
    }),
  })
  const rows = [
    [1, 3, 3, 1],
    [-Infinity, -Infinity, -Infinity, -Infinity],
    [Infinity, NaN, 5, NaN],
    [NaN, 1, Infinity, 2],
    [-0, 0, -0, 0],
  ]
  const n = { sizes: [5, 4], data: [1, 0, 4294967295, 0, 7, 7, 7, 7, 4294967295, 4294967295, 2147483648, 1, 0, 0, 0, 0, 2, 1, 1, 2] }
  const [actual, expected] = await both(p, { x: { sizes: [5, 4], data: rows.flat() }, n, none: { sizes: [0], data: [] } })
  expect(actual).toEqual(expected)
  expect(Object.fromEntries(Object.entries(actual).map(([name, { data }]) => [name, Array.from(data)]))).toEqual({
    most: [1, 0, 1, 0, 0],
    least: [0, 0, 1, 0, 0],
    mostOfWhole: [2, 0, 0, 0, 0],
    leastOfWhole: [1, 0, 3, 0, 1],
    smallest: [1, -Infinity, NaN, NaN, -0],
    nowhere: [0],
    nothing: [Infinity],
  })
})

test('sums, contractions, gathers, scatters, slices and pads have the bits of the interpreter', async () => {
  const [actual, expected] = await both(linear, { x: some(3, 7), w: some(7, 5), ids: { sizes: [3], data: [6, 0, 6] } })
  expect(actual).toEqual(expected)
})

test('axes without elements', async () => {
  const [actual, expected] = await both(linear, { x: some(0, 7), w: some(7, 5), ids: { sizes: [0], data: [] } })
  expect(actual).toEqual(expected)
  expect(actual['total']!.data).toEqual(Float32Array.of(0))
})

test('a clamped read of an axis without elements, however long the other is', async () => {
  const p = program({
    inputs: { x: f32('batch', 'time') },
    body: ({ x }) => ({ outputs: { y: pipe(x, pad('batch', { before: 1 }), sum('time')) } }),
  })
  const [actual, expected] = await both(p, { x: { sizes: [0, 100_000], data: [] } })
  expect(actual).toEqual(expected)
})

test('numbers of other types are stored as the declared type stores them', async () => {
  const p = program({ inputs: { x: i32('n'), scale: f32() }, body: ({ x, scale }) => ({ outputs: { y: mul(x, x), z: mul(scale, 1) } }) })
  const [actual] = await both(p, { x: { sizes: [2], data: Float64Array.of(3, -65536) }, scale: 0.1 })
  expect(actual['y']!.data).toEqual(Int32Array.of(9, 0))
  expect(actual['z']!.data).toEqual(Float32Array.of(0.1))
})
