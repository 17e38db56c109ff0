import { pipe } from 'fp-ts/lib/function.js'
import { describe, expect, test } from 'vitest'
import type { Device } from '../../backends/index.js'
import {
  argMax,
  argMin,
  argSort,
  f32,
  foldKey,
  i32,
  isNumber,
  minOver,
  program,
  random,
  randomBits,
  randomNormal,
  randomUniform,
  ranks,
  scatterSet,
  sizeOf,
  sort,
  sub,
  sum,
  topK,
  u32,
  type Value,
} from '../../dsl/index.js'
import { agreeing, load, must } from './opened.js'

const value = (sizes: readonly number[], ...data: readonly number[]): Value => ({ sizes, data })

/** Nodes whose results are exact, so that every device gives the same. */
export const describeVocabulary = (device: () => Device): void => {
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
    const actual = await agreeing(p, await load(device(), p), {
      x: { sizes: [5, 4], data: rows.flat() },
      n,
      none: { sizes: [0], data: [] },
    })
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

  test('a NaN alone is no number, whatever its sign and wherever it comes from', async () => {
    const p = program({
      inputs: { x: f32('n') },
      body: ({ x }) => ({ outputs: { given: isNumber(x), made: isNumber(sub(x, x)) } }),
    })
    const { given, made } = await agreeing(p, await load(device(), p), {
      x: value([8], 0, -0, 1e-40, -3e38, Infinity, -Infinity, NaN, -NaN),
    })
    expect(Array.from(given.data)).toEqual([1, 1, 1, 1, 1, 1, 0, 0])
    expect(Array.from(made.data)).toEqual([1, 1, 1, 1, 0, 0, 0, 0])
  })

  describe('order', () => {
    const rows = value([2, 6], 3, NaN, -0, 0, -Infinity, Infinity, 1, 2, 1e-40, -1e-40, 1, -NaN)

    test('equal elements stay in their order, NaN is the greatest, and subnormals are numbers', async () => {
      const p = program({
        inputs: { x: f32('row', 'time'), n: i32('time'), m: u32('time') },
        body: ({ x, n, m }) => ({
          outputs: {
            up: argSort('time')(x),
            down: argSort('time', 'descending')(x),
            whole: argSort('time')(n),
            words: argSort('time', 'descending')(m),
          },
        }),
      })
      const loaded = await load(device(), p)
      const n = value([6], 5, -2147483648, 2147483647, -1, 0, -1)
      const m = value([6], 5, 4294967295, 0, 2147483648, 2147483647, 5)
      const { up, down, whole, words } = await must(loaded.run({ x: rows, n, m }))
      expect(Array.from(up.data)).toEqual([4, 2, 3, 0, 5, 1, 3, 2, 0, 4, 1, 5])
      expect(Array.from(down.data)).toEqual([1, 5, 0, 2, 3, 4, 5, 1, 0, 4, 2, 3])
      expect(Array.from(whole.data)).toEqual([1, 3, 5, 4, 0, 2])
      expect(Array.from(words.data)).toEqual([1, 3, 4, 0, 5, 2])
    })

    test('sort and topK give the elements, of any number of them', async () => {
      const p = program({
        inputs: { x: f32('row', 'time') },
        body: ({ x }) => {
          const { values, ids } = topK('time', 2)(x)
          return { outputs: { sorted: sort('time')(x), values, ids, all: ranks('row', 'time', 'descending')(x) } }
        },
      })
      const loaded = await load(device(), p)
      const { sorted, values, ids, all } = await agreeing(p, loaded, { x: value([2, 3], 2, 3, 1, 5, 4, 5) })
      expect(Array.from(sorted.data)).toEqual([1, 2, 3, 4, 5, 5])
      expect(Array.from(values.data)).toEqual([3, 2, 5, 5])
      expect(Array.from(ids.data)).toEqual([1, 0, 0, 2])
      expect(Array.from(all.data)).toEqual([4, 3, 5, 0, 2, 1])
      expect((await must(loaded.run({ x: value([0, 5]) }))).sorted.sizes).toEqual([0, 5])
    })
  })

  describe('scatterSet', () => {
    test('puts values where ids say, the last of those that agree stays, and one outside goes nowhere', async () => {
      const p = program({
        inputs: { x: f32('row', 'place'), ids: i32('row', 'new'), values: f32('new'), one: i32('row') },
        body: ({ x, ids, values, one }) => ({
          outputs: {
            set: scatterSet('place', one)(scatterSet('place', ids)(x, values), 9),
            from: scatterSet('place', sub(ids, 1))(x, values),
          },
        }),
      })
      const loaded = await load(device(), p)
      const given = { x: value([2, 3], 1, 2, 3, 4, 5, 6), ids: value([2, 3], 0, 2, 0, 1, 1, 0), values: value([3], 10, 20, 30) }
      const { set, from } = await agreeing(p, loaded, { ...given, one: value([2], 1, 2) })
      expect(Array.from(set.data)).toEqual([30, 9, 20, 30, 20, 9])
      expect(Array.from(from.data)).toEqual([1, 20, 3, 20, 5, 6])
    })

    test('writes into a state where it lies, and touches nothing else', async () => {
      const p = program({
        inputs: { at: i32('row'), token: f32('row', 'head') },
        state: { cache: f32('row', 'time', 'head') },
        body: ({ at, token }, { cache }) => {
          const next = scatterSet('time', at)(cache, token)
          return { outputs: { total: pipe(next, sum('time', 'head')) }, state: { cache: next } }
        },
      })
      const loaded = await load(device(), p)
      const cache = await must(device().hold('f32', value([2, 2, 1], 1, 2, 3, 4)))
      const { total } = await must(loaded.run({ at: value([2], 1, 0), token: value([2, 1], 10, 20) }, { cache }))
      expect(Array.from(total.data)).toEqual([11, 24])
      expect(Array.from((await must(device().read(cache))).data)).toEqual([1, 10, 20, 4])
    })
  })

  test('chance is that of the host, word for word', async () => {
    const p = program({
      inputs: { key: u32({ word: 2 }), row: i32('row') },
      body: ({ key, row }) => {
        const keys = foldKey(row)(key)
        const sizes = { time: sizeOf('row'), embed: 3 }
        return {
          outputs: {
            keys,
            bits: randomBits(sizes)(keys),
            uniform: randomUniform({ time: 5 })(key),
            normal: randomNormal({ time: 5 })(key),
          },
        }
      },
    })
    const loaded = await load(device(), p)
    const key = random.key(7)
    const steps = [0, 3]
    const made = await agreeing(p, loaded, { key: value([2], ...key), row: value([2], ...steps) })
    const keys = steps.map((n) => random.fold(key, n))
    expect(made.keys.axes).toEqual(['row', 'word'])
    expect(Array.from(made.keys.data)).toEqual(keys.flat())
    expect(made.bits.axes).toEqual(['time', 'embed', 'row'])
    expect(Array.from(made.bits.data)).toEqual([0, 1, 2, 3, 4, 5].flatMap((i) => keys.map((k) => random.bits(k, i))))
    expect(Array.from(made.uniform.data)).toEqual([0, 1, 2, 3, 4].map((i) => random.uniform(key, i)))
    for (const [i, z] of made.normal.data.entries()) expect(z).toBeCloseTo(random.normal(key, i), 4)
  })
}
