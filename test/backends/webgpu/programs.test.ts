import { describe, expect, test } from 'vitest'
import {
  add,
  concat,
  contract,
  cumulativeSum,
  f32,
  flip,
  gather,
  type GivenFor,
  i32,
  iota,
  linearRecurrence,
  merge,
  mul,
  pad,
  program,
  type Program,
  scatterAdd,
  sizeOf,
  slice,
  softmax,
  split,
  sub,
  sum,
  tokenLogProbs,
  toI32,
  u32,
} from '../../../dsl/index.js'
import { agreeing, ids, load, must, some } from '../opened.js'
import { open, openedForAll } from './opened.js'

const device = openedForAll()

/** The device gives what the reference gives. */
const agree = async <I, S, O>(p: Program<I, S, O>, inputs: GivenFor<I>): Promise<unknown> => agreeing(p, await load(device(), p), inputs)

describe('WebGPU gives what the reference gives:', () => {
  test('softmax over rows that are no multiple of anything', () =>
    agree(program({ inputs: { x: f32('batch', 'vocab') }, body: ({ x }) => ({ outputs: { y: softmax('vocab')(x) } }) }), {
      x: some(5, 65),
    }))

  test('recurrences both ways, a cumulative sum of whole numbers, and axes moved about', () => {
    const pair = { outer: 'chunk', inner: 'place' } as const
    const p = program({
      inputs: { a: f32('time'), x: f32('batch', 'time'), n: u32('batch', 'time') },
      body: ({ a, x, n }) => ({
        outputs: {
          decayed: linearRecurrence('time')(a, x),
          discounted: linearRecurrence('time', 'backward')(0.5, x),
          summed: cumulativeSum('batch')(n),
          chunks: flip('chunk')(split('time', { ...pair, size: 3 })(x)),
          rows: merge('row', { outer: 'time', inner: 'batch' })(concat('time')(x, x)),
        },
      }),
    })
    return agree(p, { a: some(6), x: some(5, 6), n: ids(7, 5, 6) })
  })

  test('the log-probs of chosen tokens', () => {
    const p = program({
      inputs: { logits: f32('batch', 'time', 'vocab'), tokens: i32('batch', 'time') },
      body: ({ logits, tokens }) => ({ outputs: { logProbs: tokenLogProbs('vocab')(tokens)(logits) } }),
    })
    return agree(p, { logits: some(3, 7, 17), tokens: ids(17, 3, 7) })
  })

  test('a contraction, batched over what is shared', () => {
    const p = program({
      inputs: { x: f32('batch', 'time', 'embed'), w: f32('batch', 'embed', 'out') },
      body: ({ x, w }) => ({ outputs: { y: contract('embed')(x, w) } }),
    })
    return agree(p, { x: some(2, 5, 33), w: some(2, 33, 9) })
  })

  test('gather, and scatterAdd with ids that meet', () => {
    const p = program({
      inputs: { table: f32({ vocab: 11, embed: 6 }), tokens: u32('batch', 'time'), ct: f32('batch', 'time', 'embed') },
      body: ({ table, tokens, ct }) => ({
        outputs: { rows: gather('vocab')(tokens)(table), back: scatterAdd('vocab', tokens, { size: 11 })(ct) },
      }),
    })
    return agree(p, { table: some(11, 6), tokens: ids(11, 3, 5), ct: some(3, 5, 6) })
  })

  test('slices and pads with steps', () => {
    const p = program({
      inputs: { x: f32('batch', 'time') },
      body: ({ x }) => ({
        outputs: {
          shifted: pad('time', { before: 2, after: 1 })(slice('time', { from: 1 })(x)),
          every: slice('time', { from: 1, step: 3 })(x),
        },
      }),
    })
    return agree(p, { x: some(3, 13) })
  })

  test('whole numbers exactly', () => {
    const p = program({
      inputs: { x: i32('n'), y: u32('n') },
      body: ({ x, y }) => ({ outputs: { a: sum('n')(mul(x, add(toI32(y), iota('n', sizeOf('n'))))), b: mul(y, y) } }),
    })
    const data = [2147483647, 12345, 7, 0]
    return agree(p, { x: { sizes: [4], data: data.map((n) => -n) }, y: { sizes: [4], data } })
  })

  test('axes without elements', async () => {
    const p = program({
      inputs: { x: f32('batch', 'time'), y: f32('batch'), ids: i32('batch') },
      body: ({ x, y, ids }) => ({
        outputs: { sums: sum('time')(x), all: sum('batch', 'time')(x), scaled: mul(x, y), rows: scatterAdd('group', ids, { size: 3 })(y) },
      }),
    })
    for (const [batch, time] of [
      [0, 4],
      [4, 0],
      [0, 0],
    ] as const)
      await agree(p, { x: some(batch, time), y: some(batch), ids: ids(3, batch) })
  })

  test('more workgroups than a dimension may have', async () => {
    const n = 65_535 * 64 + 100
    const p = program({ inputs: { x: i32('n') }, body: ({ x }) => ({ outputs: { y: add(x, iota('n', sizeOf('n'))) } }) })
    const loaded = await load(device(), p)
    const { y } = await must(loaded.run({ x: { sizes: [n], data: new Int32Array(n).fill(5) } }))
    expect(y.data.length).toBe(n)
    expect(Array.from(y.data).findIndex((value, i) => value !== i + 5)).toBe(-1)
  }, 120_000)
})

const stepped = program({
  inputs: { ct: f32({ row: 3 }), rate: f32() },
  state: { weight: f32({ row: 3 }), previous: f32({ row: 3 }), count: i32() },
  body: ({ ct, rate }, { weight, count }) => ({
    outputs: { norm: sum('row')(mul(ct, ct)) },
    state: { weight: sub(weight, mul(rate, ct)), previous: weight, count: add(count, 1) },
  }),
})

test('state is replaced in place', async () => {
  const loaded = await load(device(), stepped)
  const state = {
    weight: await must(device().hold('f32', { sizes: [3], data: [1, 2, 3] })),
    previous: await must(device().hold('f32', { sizes: [3], data: [0, 0, 0] })),
    count: await must(device().hold('i32', { sizes: [], data: [0] })),
  }
  for (let step = 0; step < 3; step++)
    expect((await must(loaded.run({ ct: { sizes: [3], data: [1, 2, 4] }, rate: 0.5 }, state))).norm.data).toEqual(Float32Array.of(21))
  expect(await must(device().read(state.weight))).toEqual({ sizes: [3], data: Float32Array.of(-0.5, -1, -3) })
  expect(await must(device().read(state.previous))).toEqual({ sizes: [3], data: Float32Array.of(0, 0, -1) })
  expect(await must(device().read(state.count))).toEqual({ sizes: [], data: Int32Array.of(3) })
})

const attention = program({
  inputs: { x: f32('batch', 'time', 'embed'), w: f32({ embed: 8, vocab: 10 }), tokens: i32('batch', 'time') },
  body: ({ x, w, tokens }) => ({ outputs: { loss: sum('batch', 'time')(tokenLogProbs('vocab')(tokens)(contract('embed')(x, w))) } }),
})

const shapes = [
  [2, 3],
  [4, 7],
  [5, 64],
  [1, 1],
  [9, 65],
] as const

test('nothing is made from the third run of the same sizes on', async () => {
  const own = await open()
  const loaded = await load(own, attention)
  const { kernels } = loaded.counts()
  const given = ([batch, time]: readonly [number, number]) => ({ x: some(batch, time, 8), w: some(8, 10), tokens: ids(10, batch, time) })
  for (const shape of shapes) {
    await must(loaded.run(given(shape)))
    await must(loaded.run(given(shape)))
    const { allocations } = loaded.counts()
    for (let i = 0; i < 3; i++) await must(loaded.run(given(shape)))
    expect(loaded.counts()).toEqual({ kernels, allocations })
  }
  const before = loaded.counts()
  for (const shape of shapes) await must(loaded.run(given(shape)))
  await load(own, attention)
  expect(loaded.counts()).toEqual({ kernels, allocations: before.allocations + 1 }) // the new program's parameters
  await own.release()
})
