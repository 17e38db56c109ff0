import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, test } from 'vitest'
import { renderDeviceError } from '../../../backends/backend.js'
import { acquire } from '../../../backends/webgpu/acquire.js'
import { deviceOn } from '../../../backends/webgpu/runtime.js'
import type { Kernel } from '../../../compiler/index.js'
import { add, exp, f32, iota, program, softmax, sum } from '../../../dsl/index.js'
import { load, must, open, planned } from './opened.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))

const doubled = planned(program({ inputs: { x: f32('n') }, body: ({ x }) => ({ outputs: { y: add(x, x) } }) }))
const given = { x: { sizes: [3], data: [1, 2, 3] } }

const left = async <E, A>(task: () => Promise<E.Either<E, A>>): Promise<E> => {
  const done = await task()
  if (E.isRight(done)) throw new Error('it went well')
  return done.left
}

describe('a device', () => {
  test('works beside another, and its tensors are its own', async () => {
    const [first, second] = [await open(), await open()]
    expect(first.name).not.toBe(second.name)
    const [one, two] = [await load(first, doubled), await load(second, doubled)]
    const x = await must(first.hold('f32', given.x))
    const made = await Promise.all([must(one.run({ x })), must(two.run(given)), must(one.run(given))])
    expect(made.map(({ y }) => y.data)).toEqual([1, 2, 3].map(() => Float32Array.of(2, 4, 6)))
    expect(await left(two.run({ x }))).toEqual([{ tag: 'unknownTensor', device: second.name, of: first.name }])
    await first.release()
    expect((await must(two.run(given))).y.data).toEqual(Float32Array.of(2, 4, 6))
    await second.release()
  })

  test('finishes what was started before it is released, and then refuses', async () => {
    const device = await open()
    const loaded = await load(device, doubled)
    const tensor = await must(device.hold('f32', given.x))
    const running = [must(loaded.run(given)), must(loaded.run({ x: tensor }))]
    await Promise.all([device.release(), device.release()])
    expect((await Promise.all(running)).map(({ y }) => y.data)).toEqual([Float32Array.of(2, 4, 6), Float32Array.of(2, 4, 6)])
    expect(await left(loaded.run(given))).toEqual([{ tag: 'released', device: device.name, what: 'a run' }])
    expect(await left(device.read(tensor))).toMatchObject({ tag: 'released' })
    expect(await left(device.hold('f32', given.x))).toMatchObject({ tag: 'released' })
    expect(await left(device.load(doubled))).toMatchObject({ tag: 'released' })
    device.drop(tensor)
  })

  test('that is lost says so', async () => {
    const acquired = E.getOrElseW(() => undefined)(await acquire('software')())!
    const device = deviceOn(acquired)
    const loaded = await load(device, doubled)
    acquired.device.destroy()
    await acquired.device.lost
    expect(await left(loaded.run(given))).toMatchObject([{ tag: 'deviceLost', device: device.name }])
    await device.release()
  })

  test('lost while it runs says so', async () => {
    const acquired = E.getOrElseW(() => undefined)(await acquire('software')())!
    const device = deviceOn(acquired)
    const loaded = await load(device, doubled)
    const running = left(loaded.run(given))
    acquired.device.destroy()
    expect(await running).toMatchObject([{ tag: 'deviceLost' }])
    await device.release()
  })

  test('gives a tensor back when it is dropped', async () => {
    const device = await open()
    const loaded = await load(device, doubled)
    const x = await must(device.hold('f32', given.x))
    device.drop(x)
    device.drop(x)
    expect(await left(loaded.run({ x }))).toMatchObject([{ tag: 'unknownTensor' }])
    expect(await left(device.read(x))).toMatchObject({ tag: 'unknownTensor' })
    await device.release()
  })

  test('holds and reads every type, and nothing at all', async () => {
    const device = await open()
    const there = async (dtype: 'f32' | 'i32' | 'u32' | 'bool', data: readonly number[]) =>
      (await must(device.read(await must(device.hold(dtype, { sizes: [data.length], data }))))).data
    expect(await there('f32', [0.1, -0, NaN])).toEqual(Float32Array.of(0.1, -0, NaN))
    expect(await there('i32', [-1, 2 ** 31])).toEqual(Int32Array.of(-1, -(2 ** 31)))
    expect(await there('u32', [-1, 2 ** 32 - 1])).toEqual(Uint32Array.of(2 ** 32 - 1, 2 ** 32 - 1))
    expect(await there('bool', [0, 7])).toEqual(Uint32Array.of(0, 1))
    expect(await there('f32', [])).toEqual(Float32Array.of())
    await device.release()
  })

  test('takes no tensor of another type, and no two states in one tensor', async () => {
    const device = await open()
    const p = program({
      inputs: {},
      state: { a: f32('n'), b: f32('n') },
      body: (_, { a, b }) => ({ outputs: {}, state: { a: add(a, b), b } }),
    })
    const loaded = await load(device, planned(p))
    const [x, ids] = [await must(device.hold('f32', given.x)), await must(device.hold('i32', given.x))]
    expect(await left(loaded.run({}, { a: x, b: x }))).toEqual([
      { tag: 'stateShared', device: device.name, first: 'state.a', second: 'state.b' },
    ])
    expect(await left(loaded.run({}, { a: x, b: ids }))).toEqual([
      { tag: 'wrongType', device: device.name, path: 'state.b', declared: 'f32', given: 'i32' },
    ])
    expect(await left(loaded.run({}, { a: x, b: given.x }))).toEqual([{ tag: 'unknownTensor', device: device.name, of: 'the host' }])
    await device.release()
  })
})

describe('what a device refuses is a value:', () => {
  test('more bytes than it has', async () => {
    const device = await open({ limitsOf: 'minimum' })
    const huge = planned(program({ inputs: {}, body: () => ({ outputs: { y: iota('n', 2 ** 25 + 1) } }) }))
    const loaded = await load(device, huge)
    expect(await left(loaded.run({}))).toEqual([{ tag: 'outOfMemory', device: device.name, asked: 2 ** 27 + 4, limit: 2 ** 27 }])
    await device.release()
  })

  test('more bytes than there are, though its limits allow them; smaller runs go on', async () => {
    const device = await open()
    const counting = (size: number) => load(device, planned(program({ inputs: {}, body: () => ({ outputs: { y: iota('n', size) } }) })))
    const [huge, small] = [await counting(2 ** 28), await counting(3)]
    expect(await left(huge.run({}))).toMatchObject([{ tag: 'outOfMemory' }])
    expect((await must(small.run({}))).y.data).toEqual(Int32Array.of(0, 1, 2))
    await device.release()
  })

  test('a kernel, by its line', async () => {
    const device = await open()
    const [kernel] = doubled.kernels
    const wrong: Kernel = {
      ...kernel!,
      body: [
        { tag: 'store', buffer: 0, at: { tag: 'literal', dtype: 'i32', value: 0 }, value: { tag: 'literal', dtype: 'u32', value: 0 } },
      ],
    }
    const error = await left(device.load({ ...doubled, kernels: [wrong] }))
    expect(error).toMatchObject({ tag: 'kernelRefused', kernel: kernel!.name })
    expect(renderDeviceError(error)).toMatch(/because: line (\d+): .*cannot assign[^]*\n +\1 \|   b0\[0\] = 0u;/)
    const again = await left(device.load({ ...doubled, kernels: [wrong] }))
    expect(again).toEqual(error)
    await device.release()
  })
})

test("everything runs within WebGPU's minimum", async () => {
  const device = await open({ limitsOf: 'minimum' })
  const names = Array.from({ length: 12 }, (_, i) => `x${String(i)}`)
  const p = program({
    inputs: Object.fromEntries(names.map((name) => [name, f32('batch', 'vocab')])),
    body: (inputs) => ({
      outputs: { y: sum('vocab')(Object.values(inputs).reduce((x, y) => add(softmax('vocab')(x), exp(y)))) },
    }),
  })
  const loaded = await load(device, planned(p))
  const zeros = { sizes: [2, 3], data: [0, 0, 0, 0, 0, 0] }
  const { y } = await must(loaded.run(Object.fromEntries(names.map((name) => [name, zeros]))))
  expect(y.data).toEqual(Float32Array.of(4, 4))
  await device.release()
})

test('a process ends by itself once its device is released', async () => {
  const body = `
    import { openWebGpu } from '${root}backends/webgpu/index.ts'
    import { plan } from '${root}compiler/index.ts'
    import { exp, f32, program } from '${root}dsl/index.ts'
    const device = (await openWebGpu('software')()).right
    const loaded = (await device.load(plan(program({ inputs: { x: f32('n') }, body: ({ x }) => ({ outputs: { y: exp(x) } }) })).right)()).right
    const made = await loaded.run({ x: { sizes: [2], data: [0, 0] } })()
    await device.release()
    console.log([...made.right.y.data].join())`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', body], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 40_000,
    killSignal: 'SIGKILL',
  })
  const heard: string[] = []
  child.stdout.on('data', (bytes: Buffer) => {
    heard.push(bytes.toString())
    setTimeout(() => child.kill('SIGKILL'), 5000).unref()
  })
  expect(await once(child, 'close')).toEqual([0, null])
  expect(heard.join('')).toBe('1,1\n')
})
