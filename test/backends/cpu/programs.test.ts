import { pipe } from 'fp-ts/lib/function.js'
import { afterAll, expect, test } from 'vitest'
import { openCpu } from '../../../backends/cpu/index.js'
import { interpret } from '../../../compiler/index.js'
import {
  contract,
  f32,
  gather,
  type GivenFor,
  type HostTensor,
  i32,
  max,
  minOver,
  mul,
  pad,
  program,
  type Program,
  scatterAdd,
  sizeOf,
  slice,
  sum,
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

test('gathers, scatters, slices and pads have the bits of the interpreter', async () => {
  const [actual, expected] = await both(linear, { x: some(3, 7), w: some(7, 5), ids: { sizes: [3], data: [6, 0, 6] } })
  const moves = ({ picked, summed, moved }: Outputs) => ({ picked, summed, moved })
  expect(moves(actual)).toEqual(moves(expected))
})

test.each([1, 3, 4, 5, 8, 15, 16, 17, 33, 67, 128])(
  'sums and contractions of %d, in the order of their lanes, are within the bound',
  async (n) => {
    const p = program({
      inputs: { x: f32('batch', 'time'), y: f32('other', 'time'), z: f32('time', 'batch') },
      body: ({ x, y, z }) => ({
        outputs: {
          rows: pipe(x, sum('time')),
          columns: pipe(z, sum('time')),
          total: pipe(x, sum('batch', 'time')),
          greatest: pipe(x, max('time')),
          least: pipe(x, minOver('batch', 'time')),
          byRow: contract('time')(x, y),
          byColumn: contract('time')(y, z),
        },
      }),
    })
    await agreeing(p, await load(device, p), { x: some(3, n), y: some(5, n), z: some(n, 3) })
  },
)

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
