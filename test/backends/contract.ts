import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { describe, expect, test } from 'vitest'
import { type Device, type DeviceTensor, leftBy, renderDeviceError, type withDevice } from '../../backends/index.js'
import { valueAndGrad } from '../../autodiff/index.js'
import { streamOf } from '../../bench/peers/inputs/stream.js'
import type { Plan } from '../../compiler/index.js'
import {
  add,
  bool,
  contract,
  f32,
  gather,
  i32,
  maskedMean,
  mean,
  mul,
  outer,
  program,
  type Scalar,
  type Size,
  scatterAdd,
  sizeOf,
  sum,
  tokenLogProbs,
  type Value,
} from '../../dsl/index.js'
import { agreeing, ids, load, must, planned, refused, some } from './opened.js'

interface Backend {
  readonly device: () => Device
  readonly within: ReturnType<typeof withDevice<unknown>>
  /** What it makes of a plan's kernels, to read. */
  readonly textOf: (plan: Plan) => string
}

const loss = (batch: number | Size, time: number | Size) =>
  program({
    inputs: { x: f32({ batch, time, embed: 8 }), w: f32({ embed: 8, vocab: 10 }), tokens: i32({ batch, time }) },
    body: ({ x, w, tokens }) => {
      const logProbs = tokenLogProbs('vocab')(tokens)(contract('embed')(x, w))
      return { outputs: { logProbs, loss: sum('batch', 'time')(logProbs) } }
    },
  })

const openLoss = loss(sizeOf('batch'), sizeOf('time'))

/** Batch and time: numbers that no kernel holds for another reason. */
const pairs = [
  [37, 41],
  [43, 1],
  [3, 47],
  [53, 59],
  [61, 67],
] as const

/** What is true of every device. */
export const describeContract = ({ device, within, textOf }: Backend): void => {
  const held = (...data: readonly number[]): Promise<DeviceTensor> => must(device().hold('f32', { sizes: [data.length], data }))
  const heldIds = (...data: readonly number[]): Promise<DeviceTensor> => must(device().hold('i32', { sizes: [data.length], data }))
  const there = async (tensor: DeviceTensor): Promise<readonly number[]> => Array.from((await must(device().read(tensor))).data)

  describe('one program at any batch and time', () => {
    test('runs, and nothing is compiled after it was loaded', async () => {
      const loaded = await load(device(), openLoss)
      const { kernels } = loaded.counts()
      for (const [batch, time] of pairs) {
        const { logProbs } = await agreeing(openLoss, loaded, { x: some(batch, time, 8), w: some(8, 10), tokens: ids(10, batch, time) })
        expect(logProbs.sizes).toEqual([batch, time])
      }
      expect(loaded.counts().kernels).toBe(kernels)
    })

    test('holds no size that is open, and one that is fixed', () => {
      const numbers = (text: string): readonly string[] => text.match(/\b\d+/g) ?? []
      const sizes = pairs.flat().filter((size) => size > 3)
      const open = numbers(textOf(planned(openLoss)))
      expect(sizes.filter((size) => open.includes(String(size)))).toEqual([])
      const fixed = pairs.map(([batch, time]) => textOf(planned(loss(batch, time))))
      expect(sizes.filter((size) => !fixed.some((text) => numbers(text).includes(String(size))))).toEqual([])
      expect(new Set([textOf(planned(openLoss)), ...fixed]).size).toBe(6)
    })
  })

  test('a run of more elements than kernels count is refused, even of a tensor that is never made', async () => {
    const p = program({
      inputs: { x: f32('row'), y: f32('column') },
      body: ({ x, y }) => ({ outputs: { sum: sum('row', 'column')(outer(x, y)) } }),
    })
    const loaded = await load(device(), p)
    expect(await refused(loaded.run({ x: some(2 ** 16), y: some(2 ** 15) }))).toMatchObject([
      { tag: 'tooLarge', size: { text: 'column·row' }, value: 2 ** 31 },
    ])
    await agreeing(p, loaded, { x: some(3), y: some(5) })
  })

  describe('a tensor', () => {
    test('is read as it was held, of every type, and without elements', async () => {
      const back = async (dtype: 'f32' | 'i32' | 'u32' | 'bool', data: readonly number[]) =>
        must(device().read(await must(device().hold(dtype, { sizes: [data.length], data }))))
      expect(await back('f32', [0.1, -0, NaN])).toEqual({ sizes: [3], data: Float32Array.of(0.1, -0, NaN) })
      expect(await back('i32', [-1, 2 ** 31])).toEqual({ sizes: [2], data: Int32Array.of(-1, -(2 ** 31)) })
      expect(await back('u32', [-1, 2 ** 32 - 1])).toEqual({ sizes: [2], data: Uint32Array.of(2 ** 32 - 1, 2 ** 32 - 1) })
      expect(await back('bool', [0, 7])).toEqual({ sizes: [2], data: Uint32Array.of(0, 1) })
      expect(await back('f32', [])).toEqual({ sizes: [0], data: Float32Array.of() })
    })

    test('whose sizes do not fit its numbers is refused', async () => {
      const misfits: readonly Value[] = [
        { sizes: [2, 3], data: [1, 2, 3, 4] },
        { sizes: [2], data: [1, 2, 3] },
        { sizes: [-1], data: [] },
        { sizes: [-1, -2], data: [1, 2] },
        { sizes: [0.5, 2], data: [1] },
        { sizes: [NaN], data: [1] },
      ]
      for (const value of misfits)
        expect(await refused(device().hold('f32', value))).toEqual({
          tag: 'misfit',
          device: device().name,
          sizes: value.sizes,
          length: value.data.length,
        })
      const rendered = (sizes: readonly number[], length: number): string =>
        renderDeviceError({ tag: 'misfit', device: 'cpu 1', sizes, length })
      expect(rendered([2, 3], 4)).toMatchInlineSnapshot(`
        "a tensor of sizes [2, 3] for cpu 1 to hold
          because: its sizes ask for 6 numbers, and it has 4
          try: give whole sizes, and one number for each element"
      `)
      expect(rendered([-1, -2], 2)).toMatchInlineSnapshot(`
        "a tensor of sizes [-1, -2] for cpu 1 to hold
          because: a size is a whole number from 0 on
          try: give whole sizes, and one number for each element"
      `)
    })

    test('is known by its device, its handle and its sizes', async () => {
      const tensor = await held(1, 2, 3)
      const unknown = { tag: 'unknownTensor', device: device().name, of: device().name }
      expect(await refused(device().read({ ...tensor, sizes: [1000] }))).toEqual(unknown)
      expect(await refused(device().read({ ...tensor, device: 'another' }))).toEqual({ ...unknown, of: 'another' })
      device().drop({ ...tensor, handle: -1 })
      expect(await there(tensor)).toEqual([1, 2, 3])
      device().drop(tensor)
      device().drop(tensor)
      expect(await refused(device().read(tensor))).toEqual(unknown)
    })

    test('of another type is refused, and as a state one of the host and one that another state has', async () => {
      const p = program({
        inputs: {},
        state: { a: f32('n'), b: f32('n') },
        body: (_, { a, b }) => ({ outputs: {}, state: { a: add(a, b), b } }),
      })
      const loaded = await load(device(), p)
      const [x, whole] = [await held(1, 2, 3), await heldIds(1, 2, 3)]
      const { name } = device()
      expect(await refused(loaded.run({}, { a: x, b: x }))).toEqual([
        { tag: 'stateShared', device: name, first: 'state.a', second: 'state.b' },
      ])
      expect(await refused(loaded.run({}, { a: x, b: whole }))).toEqual([
        { tag: 'wrongType', device: name, path: 'state.b', declared: 'f32', given: 'i32' },
      ])
      expect(await refused(loaded.run({}, { a: x, b: some(3) }))).toEqual([{ tag: 'unknownTensor', device: name, of: 'the host' }])
      expect(await there(x)).toEqual([1, 2, 3])
    })

    test('may be two inputs, and a state as well: the inputs are what it was before', async () => {
      const p = program({
        inputs: { x: f32('row'), y: f32('row') },
        state: { z: f32('row') },
        body: ({ x, y }, { z }) => ({ outputs: { sum: add(x, y) }, state: { z: add(add(z, mul(x, y)), 1) } }),
      })
      const [loaded, x, z] = [await load(device(), p), await held(2, 3), await held(5, 7)]
      expect((await must(loaded.run({ x, y: x }, { z }))).sum.data).toEqual(Float32Array.of(4, 6))
      expect(await there(z)).toEqual([10, 17])
      expect((await must(loaded.run({ x: z, y: z }, { z }))).sum.data).toEqual(Float32Array.of(20, 34))
      expect(await there(z)).toEqual([111, 307])
    })

    test('of ids may point out of its axis: nothing is there', async () => {
      const p = program({
        inputs: { x: f32('vocab'), whole: i32('vocab'), at: i32('n'), ct: f32('n') },
        body: ({ x, whole, at, ct }) => ({
          outputs: {
            picked: gather('vocab')(at)(x),
            pickedWhole: gather('vocab')(at)(whole),
            summed: scatterAdd('vocab', at, { size: sizeOf('vocab') })(ct),
          },
        }),
      })
      const loaded = await load(device(), p)
      const at = await heldIds(2, -1, 3, 2147483647, -2147483648, 0)
      const ct = some(6)
      const made = await must(loaded.run({ x: { sizes: [3], data: [4, 5, 6] }, whole: { sizes: [3], data: [4, 5, 6] }, at, ct }))
      expect(made.picked.data).toEqual(Float32Array.of(6, NaN, NaN, NaN, NaN, 4))
      expect(made.pickedWhole.data).toEqual(Int32Array.of(6, 0, 0, 0, 0, 4))
      expect(made.summed.data).toEqual(Float32Array.of(ct.data[5]!, 0, ct.data[0]!))
      const none = await must(loaded.run({ x: some(0), whole: { sizes: [0], data: [] }, at, ct }))
      expect(none.picked.data).toEqual(new Float32Array(6).fill(NaN))
      expect(none.summed.data).toEqual(new Float32Array(0))
    })
  })

  test('tensors that are held and not dropped are counted, and those that a task left are named', async () => {
    const kept = await leftBy(device())(() => held(1, 2))()
    expect(kept.left).toEqual([kept.result])
    expect(device().holds()).toContainEqual(kept.result)
    const clean = leftBy(device())(async () => {
      device().drop(await held(1, 2, 3))
      device().drop(kept.result)
    })
    expect((await clean()).left).toEqual([])
    expect(device().holds()).not.toContainEqual(kept.result)
  })

  /** Their sizes differ and follow no pattern, or the roundings of one chain of additions would cancel each other. */
  test('a mean of a million numbers is as exact as a few are, and no chain of additions', async () => {
    const p = program({ inputs: { x: f32('n') }, body: ({ x }) => ({ outputs: { y: mean('n')(x) } }) })
    const { uniform } = streamOf('a million numbers')
    const data = Float32Array.from({ length: 1 << 20 }, () => -Math.log(1 - uniform()))
    const { y } = await must((await load(device(), p)).run({ x: { sizes: [data.length], data } }))
    const exact = data.reduce((sum, x) => sum + x, 0) / data.length
    const chain = data.reduce((sum, x) => Math.fround(sum + x), 0) / data.length
    expect(Math.abs(chain / exact - 1)).toBeGreaterThan(1e-5)
    expect(Math.abs(y.data[0]! / exact - 1)).toBeLessThan(1e-6)
  })

  describe('a profile', () => {
    const counting = program({
      inputs: { x: f32('row', 'k'), w: f32('k', 'column') },
      state: { runs: f32() },
      body: ({ x, w }, { runs }) => ({ outputs: { y: contract('k')(x, w) }, state: { runs: add(runs, 1) } }),
    })

    test('is a run whose commands are timed one by one, each with what it did', async () => {
      const loaded = await load(device(), counting)
      const state = { runs: await must(device().hold('f32', { sizes: [], data: [0] })) }
      const inputs = { x: some(70, 60), w: some(60, 50) }
      const { y } = await must(loaded.run(inputs, state))
      const { outputs, commands, peak, device: name } = await must(loaded.profile(inputs, state))
      expect(name).toBe(device().name)
      expect(outputs.y).toEqual(y)
      expect(await there(state.runs)).toEqual([2])
      expect(commands.length).toBe(planned(counting).commands.length)
      expect(commands.reduce((sum, { flops }) => sum + flops, 0)).toBe(2 * 70 * 60 * 50 + 1)
      expect(commands.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(4 * (70 * 60 + 60 * 50 + 70 * 50 + 2))
      for (const { begin, seconds } of commands) expect(begin >= 0 && seconds >= 0).toBe(true)
      expect(commands.some(({ seconds }) => seconds > 0)).toBe(true)
      expect(peak.flops > 0 && Number.isFinite(peak.flops) && peak.bytes > 0 && Number.isFinite(peak.bytes)).toBe(true)
    })

    test('tells a fold as one kernel, in however many parts the device folds it', async () => {
      const p = program({
        inputs: { logits: f32('batch', 'time', 'vocab'), tokens: i32('batch', 'time'), mask: bool('batch', 'time') },
        body: ({ logits, tokens, mask }) => {
          const loss = (x: typeof logits): Scalar => maskedMean(mask, 'batch', 'time')(tokenLogProbs('vocab')(tokens)(x))
          return { outputs: valueAndGrad(loss)(logits) }
        },
      })
      const { kernels } = planned(p)
      const mask = { sizes: [8, 64], data: Array.from({ length: 512 }, (_, i) => Number(i % 3 > 0)) }
      const loaded = await load(device(), p)
      const profile = await must(loaded.profile({ logits: some(8, 64, 20), tokens: ids(20, 8, 64), mask }))
      expect(loaded.counts().kernels).toBeGreaterThan(kernels.length)
      expect(profile.commands.map(({ kernel }) => kernel)).toEqual(kernels.map(({ name }) => name))
    })

    test('has no time for a command that has nothing to do, and is refused what a run is', async () => {
      const p = program({ inputs: { x: f32('n') }, body: ({ x }) => ({ outputs: { y: mul(x, x) } }) })
      const loaded = await load(device(), p)
      const { outputs, commands } = await must(loaded.profile({ x: some(0) }))
      expect(outputs.y.data).toEqual(new Float32Array(0))
      expect(commands).toMatchObject([{ bytes: 0, flops: 0 }])
      expect(await refused(loaded.profile({ x: { sizes: [2, 2], data: [1, 2, 3, 4] } }))).toMatchObject([{ tag: 'wrongRank' }])
    })
  })

  describe('a device in a bracket', () => {
    const one = (device: Device): TE.TaskEither<unknown, readonly number[]> =>
      TE.map(({ data }: Value) => Array.from(data))(
        TE.chain(device.read)(device.hold('f32', { sizes: [1], data: [1] })) as TE.TaskEither<unknown, Value>,
      )

    test('is given back after its use, one after the other', async () => {
      const devices: Device[] = []
      const turn = within((device) => {
        devices.push(device)
        return one(device)
      })
      expect([await must(turn), await must(turn)]).toEqual([[1], [1]])
      for (const device of devices) expect(await refused(one(device))).toMatchObject({ tag: 'released' })
    })

    test('is given back even if its use rejects', async () => {
      let used: Device | undefined
      const broken = within((device) => (): Promise<E.Either<never, never>> => {
        used = device
        return Promise.reject(new Error('a bug'))
      })
      await expect(broken()).rejects.toThrow('a bug')
      expect(E.isLeft(await one(used!)())).toBe(true)
    })
  })
}
