import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { pipe } from 'fp-ts/lib/function.js'
import { describe, expect, test } from 'vitest'
import { type Device, type DeviceTensor, profileTable, renderDeviceError } from '../../../backends/index.js'
import { openCpu } from '../../../backends/cpu/index.js'
import { measurePeak } from '../../../backends/cpu/peak.js'
import { add, contract, f32, i32, mul, program, sizeOf, sub, sum } from '../../../dsl/index.js'
import { load, must, planned, refused, some } from '../opened.js'

const withDevice = (use: (device: Device) => Promise<void>, limit?: number) => async () => {
  const device = openCpu(limit === undefined ? {} : { limit })
  await use(device)
  await device.release()
}

const held = (device: Device, ...data: readonly number[]): Promise<DeviceTensor> => must(device.hold('f32', { sizes: [data.length], data }))

const numbers = async (device: Device, tensor: DeviceTensor): Promise<readonly number[]> =>
  Array.from((await must(device.read(tensor))).data)

const step = program({
  inputs: { ct: f32({ row: 3 }), rate: f32() },
  state: { weight: f32({ row: 3 }), previous: f32({ row: 3 }), count: i32() },
  body: ({ ct, rate }, { weight, count }) => ({
    outputs: { norm: pipe(mul(ct, ct), sum('row')) },
    state: { weight: sub(weight, mul(rate, ct)), previous: weight, count: add(count, 1) },
  }),
})

const score = program({
  inputs: { x: f32('batch', 'row'), weight: f32({ row: 3 }) },
  body: ({ x, weight }) => ({ outputs: { y: contract('row')(x, weight) } }),
})

describe('what a device holds', () => {
  test(
    'as state is replaced in place',
    withDevice(async (device) => {
      const loaded = await load(device, step)
      const count = await must(device.hold('i32', { sizes: [], data: [0] }))
      const state = { weight: await held(device, 1, 2, 3), previous: await held(device, 0, 0, 0), count }
      for (const ct of [
        [1, 0, 0],
        [0, 2, 0],
      ])
        await must(loaded.run({ ct: { sizes: [3], data: ct }, rate: 0.5 }, state))
      expect(await numbers(device, state.weight)).toEqual([0.5, 1, 3])
      expect(await numbers(device, state.previous)).toEqual([0.5, 2, 3])
      expect(await numbers(device, state.count)).toEqual([2])
    }),
  )

  test(
    'is shared by all programs of the device',
    withDevice(async (device) => {
      const [stepped, scored] = [await load(device, step), await load(device, score)]
      const count = await must(device.hold('i32', { sizes: [], data: [0] }))
      const state = { weight: await held(device, 1, 2, 3), previous: await held(device, 0, 0, 0), count }
      await must(stepped.run({ ct: { sizes: [3], data: [1, 1, 1] }, rate: 1 }, state))
      const { y } = await must(scored.run({ x: { sizes: [2, 3], data: [1, 0, 0, 1, 1, 1] }, weight: state.weight }))
      expect(y.data).toEqual(Float32Array.of(0, 3))
    }),
  )

  test(
    'is unknown once it is dropped, to another device, and where it is of the host',
    withDevice(async (device) => {
      const [loaded, tensor, other] = [await load(device, step), await held(device, 1, 2, 3), openCpu()]
      expect(await refused(other.read(tensor))).toEqual({ tag: 'unknownTensor', device: other.name, of: device.name })
      device.drop(tensor)
      device.drop(tensor)
      expect(await refused(device.read(tensor))).toEqual({ tag: 'unknownTensor', device: device.name, of: device.name })
      const state = { weight: some(3), previous: tensor, count: await must(device.hold('f32', { sizes: [], data: [0] })) }
      expect(await refused(loaded.run({ ct: some(3), rate: 1 }, state))).toEqual([
        { tag: 'unknownTensor', device: device.name, of: 'the host' },
        { tag: 'unknownTensor', device: device.name, of: device.name },
        { tag: 'wrongType', device: device.name, path: 'state.count', declared: 'i32', given: 'f32' },
      ])
      await other.release()
    }),
  )
})

const growing = program({
  inputs: { x: f32('batch', 'time'), w: f32({ time: sizeOf('time'), out: 6 }) },
  body: ({ x, w }) => ({ outputs: { y: contract('time')(x, w), z: sum('batch')(mul(x, x)) } }),
})

describe('what changes from run to run', () => {
  const pairs = [
    [1, 1],
    [3, 5],
    [8, 4],
    [0, 2],
    [17, 9],
  ] as const

  test(
    'costs no memory from the second run of the same sizes on',
    withDevice(async (device) => {
      const loaded = await load(device, growing)
      const run = () => must(loaded.run({ x: some(300, 50), w: some(50, 6) }))
      await run()
      const counts = loaded.counts()
      for (let i = 0; i < 5; i++) await run()
      expect(loaded.counts()).toEqual(counts)
    }),
  )

  test(
    'may begin at once: runs take turns',
    withDevice(async (device) => {
      const loaded = await load(device, growing)
      const made = await Promise.all(pairs.map(([batch, time]) => must(loaded.run({ x: some(batch, time), w: some(time, 6) }))))
      expect(made.map(({ z }) => z.sizes)).toEqual(pairs.map(([, time]) => [time]))
    }),
  )
})

describe('memory', () => {
  test(
    'that is dropped is used again',
    withDevice(async (device) => {
      const big = { sizes: [100_000], data: new Float32Array(100_000) }
      for (let i = 0; i < 50; i++) device.drop(await must(device.hold('f32', big)))
      expect((await must(device.hold('f32', big))).sizes).toEqual([100_000])
    }, 1_000_000),
  )

  test(
    'beyond the limit is refused, with both numbers, and what is there stays usable',
    withDevice(async (device) => {
      const tensor = await held(device, 1, 2, 3)
      const error = await refused(device.hold('f32', { sizes: [1_000_000], data: new Float32Array(1_000_000) }))
      expect(error).toEqual({ tag: 'outOfMemory', device: device.name, asked: 4_000_064, limit: 2_000_000 })
      expect(renderDeviceError(error)).toContain('at most 2000000 bytes')
      const loaded = await load(device, growing)
      expect(await refused(loaded.run({ x: some(1000, 1000), w: some(1000, 6) }))).toMatchObject([{ tag: 'outOfMemory' }])
      expect((await must(loaded.run({ x: some(2, 2), w: some(2, 6) }))).z.sizes).toEqual([2])
      expect(await numbers(device, tensor)).toEqual([1, 2, 3])
    }, 2_000_000),
  )

  test(
    'grows: views of before are not used after',
    withDevice(async (device) => {
      const tensor = await held(device, 1, 2, 3)
      const n = 12_000_000
      const big = await must(device.hold('f32', { sizes: [n], data: new Float32Array(n).fill(7) }))
      const loaded = await load(device, score)
      const { y } = await must(loaded.run({ x: { sizes: [1, 3], data: [1, 1, 1] }, weight: tensor }))
      expect(y.data).toEqual(Float32Array.of(6))
      device.drop(big)
    }),
  )
})

test('a released device refuses everything, and what was running ends first', async () => {
  const device = openCpu()
  const [loaded, tensor] = [await load(device, score), await held(device, 1, 2, 3)]
  const running = must(loaded.run({ x: some(4, 3), weight: tensor }))
  await device.release()
  await device.release()
  expect((await running).y.sizes).toEqual([4])
  const error = { tag: 'released', device: device.name }
  expect(await refused(loaded.run({ x: some(4, 3), weight: tensor }))).toMatchObject([error])
  expect(await refused(device.load(planned(score)))).toMatchObject(error)
  expect(await refused(device.hold('f32', some(1)))).toMatchObject(error)
  expect(await refused(device.read(tensor))).toMatchObject(error)
  expect(device.holds()).toEqual([])
  device.drop(tensor)
})

test(
  'values that do not fit are refused',
  withDevice(async (device) => {
    const loaded = await load(device, score)
    expect(await refused(loaded.run({ x: some(4, 2), weight: some(3) }))).toMatchObject([{ tag: 'sizesUnequal', left: 2, right: 3 }])
  }),
)

test('a long run gives others a turn', async () => {
  const device = openCpu({ turn: 0 })
  const loaded = await load(device, score)
  let turns = 0
  let running = true
  const count = (): void => {
    turns += 1
    if (running) setImmediate(count)
  }
  setImmediate(count)
  await must(loaded.run({ x: some(4, 3), weight: some(3) }))
  running = false
  expect(turns).toBeGreaterThanOrEqual(planned(score).commands.length)
  await device.release()
})

test('a device that is released leaves no memory behind, even where its programs and tensors are kept', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const memories: WeakRef<WebAssembly.Memory>[] = []
  const { Memory } = WebAssembly
  WebAssembly.Memory = class extends Memory {
    constructor(descriptor: ConstructorParameters<typeof Memory>[0]) {
      super(descriptor)
      memories.push(new WeakRef(this))
    }
  }
  const device = openCpu()
  WebAssembly.Memory = Memory
  const [loaded, tensor] = [await load(device, score), await held(device, 1, 2, 3)]
  await must(loaded.run({ x: some(4, 3), weight: tensor }))
  await device.release()
  await new Promise(setImmediate)
  collect()
  expect(memories.map((memory) => memory.deref())).toEqual([undefined])
  expect(await refused(loaded.run({ x: some(4, 3), weight: tensor }))).toMatchObject([{ tag: 'released' }])
})

test('a peak of more threads than a memory has room for is refused', async () => {
  expect(await measurePeak(129, false)).toMatchObject({ _tag: 'Left', left: expect.stringContaining('a memory of its own') as string })
})

test('a profile has its times where the peak cannot be measured', async () => {
  const device = openCpu({ threads: 129, wake: Infinity })
  const loaded = await load(device, score)
  const profile = await must(loaded.profile({ x: some(4, 3), weight: some(3) }))
  expect(profile.commands.length).toBe(planned(score).commands.length)
  expect(profileTable(profile)).toMatch(/could not be measured\n[^]*–/)
  await device.release()
})
