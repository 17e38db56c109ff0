import { pipe } from 'fp-ts/lib/function.js'
import { afterAll, describe, expect, test } from 'vitest'
import { moduleText, openCpu } from '../../../backends/cpu/index.js'
import { hasRelaxed } from '../../../backends/cpu/wasm/relaxed.js'
import { contract, f32, flip, pad, program, rename, sizeOf, slice } from '../../../dsl/index.js'
import { agreeing, load, must, planned, some } from '../opened.js'

const devices = { 'with relaxed SIMD': openCpu(), strictly: openCpu({ strict: true }) }
afterAll(async () => {
  for (const device of Object.values(devices)) await device.release()
})

const layer = program({
  inputs: { x: f32('row', 'k'), w: f32('k', 'column'), dy: f32('row', 'column') },
  body: ({ x, w, dy }) => ({
    outputs: { y: contract('k')(x, w), dx: contract('column')(dy, w), dw: contract('row')(x, dy) },
  }),
})

const heads = program({
  inputs: {
    x: f32({ batch: sizeOf('batch'), time: sizeOf('time'), head: 2, dim: 7 }),
    w: f32({ head: 2, dim: 7, group: 3, out: 4 }),
    y: f32({ batch: sizeOf('batch'), time: sizeOf('time'), group: 3, out: 4 }),
  },
  body: ({ x, w, y }) => ({
    outputs: {
      forward: contract('head', 'dim')(x, w),
      dw: contract('batch', 'time')(x, y),
      dx: contract('group', 'out')(y, w),
    },
  }),
})

const attention = program({
  inputs: { q: f32('batch', 'time', 'head', 'dim'), k: f32('batch', 'time', 'head', 'dim'), v: f32('batch', 'time', 'head', 'dim') },
  body: ({ q, k, v }) => {
    const scores = contract('dim')(q, pipe(k, rename({ time: 'key' })))
    return { outputs: { scores, mixed: contract('key')(scores, pipe(v, rename({ time: 'key' }))) } }
  },
})

const moved = program({
  inputs: { x: f32('row', 'k'), w: f32('long', 'column') },
  body: ({ x, w }) => ({
    outputs: {
      y: contract('k')(
        pipe(x, flip('row')),
        pipe(w, slice('long', { from: 1, to: 19, step: 2 }), pad('long', { before: 1, after: 2 }), rename({ long: 'k' })),
      ),
    },
  }),
})

/** Around the sides of tiles, of blocks, and of what is worth a copy. */
const sizes = [
  [7, 5, 8],
  [8, 1, 8],
  [9, 17, 11],
  [143, 8, 121],
  [145, 9, 119],
  [12, 257, 9],
  [130, 3, 24],
] as const

describe.each(Object.entries(devices))('%s', (_, device) => {
  test.each(sizes)('a product of [%d, %d] and [%d, %d], and its gradients, are within the bound', async (rows, depth, columns) => {
    const loaded = await load(device, layer)
    await agreeing(layer, loaded, { x: some(rows, depth), w: some(depth, columns), dy: some(rows, columns) })
  })

  test('rows, columns and sums along several axes are one each', async () => {
    const loaded = await load(device, heads)
    await agreeing(heads, loaded, { x: some(3, 5, 2, 7), w: some(2, 7, 3, 4), y: some(3, 5, 3, 4) })
    await agreeing(heads, loaded, { x: some(1, 9, 2, 7), w: some(2, 7, 3, 4), y: some(1, 9, 3, 4) })
  })

  test('batches of products, as of attention', async () => {
    const loaded = await load(device, attention)
    for (const time of [3, 8, 17])
      await agreeing(attention, loaded, { q: some(2, time, 3, 8), k: some(2, time, 3, 8), v: some(2, time, 3, 8) })
  })

  test('a factor that is moved on its way in', async () => {
    const loaded = await load(device, moved)
    await agreeing(moved, loaded, { x: some(10, 12), w: some(20, 9) })
  })

  test('axes without elements', async () => {
    const loaded = await load(device, layer)
    await agreeing(layer, loaded, { x: some(9, 0), w: some(0, 9), dy: some(9, 9) })
    await agreeing(layer, loaded, { x: some(0, 9), w: some(9, 9), dy: some(0, 9) })
  })
})

test('a multiply-add is in the module where the machine has it, and never strictly', () => {
  const plan = planned(layer)
  expect(hasRelaxed()).toBe(true)
  expect(moduleText(plan)).not.toContain('relaxed')
  expect(moduleText(plan, { fused: true })).toContain('f32x4.relaxed_madd')
})

test('strictly, the bits are those of an addition after a product', async () => {
  const p = program({
    inputs: { x: f32('row', 'k'), w: f32('k', 'column') },
    body: ({ x, w }) => ({ outputs: { y: contract('k')(x, w) } }),
  })
  const [x, w] = [some(9, 300), some(300, 10)]
  const { y } = await must((await load(devices.strictly, p)).run({ x, w }))
  const expected = Array.from({ length: 90 }, (_, at) => {
    const [row, column] = [Math.floor(at / 10), at % 10]
    return Array.from({ length: 300 }).reduce<number>(
      (sum, _, k) => Math.fround(sum + Math.fround(x.data[300 * row + k]! * w.data[10 * k + column]!)),
      0,
    )
  })
  expect(Array.from(y.data)).toEqual(expected)
})
