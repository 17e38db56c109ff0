import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { describe, expect, test } from 'vitest'
import { renderDeviceError, renderRunError } from '../../../backends/backend.js'
import { renderAcquireError } from '../../../backends/webgpu/index.js'
import { acquire } from '../../../backends/webgpu/acquire.js'
import { deviceOn } from '../../../backends/webgpu/runtime.js'
import type { Kernel } from '../../../compiler/index.js'
import { add, exp, f32, iota, program, softmax, sum } from '../../../dsl/index.js'
import { right } from '../../right.js'
import { load, must, planned, refused } from '../opened.js'
import { open } from './opened.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))

const doubled = planned(program({ inputs: { x: f32('n') }, body: ({ x }) => ({ outputs: { y: add(x, x) } }) }))
const given = { x: { sizes: [3], data: [1, 2, 3] } }

describe('a device', () => {
  test('works beside another, and its tensors are its own', async () => {
    const [first, second] = [await open(), await open()]
    expect(first.name).not.toBe(second.name)
    const [one, two] = [await must(first.load(doubled)), await must(second.load(doubled))]
    const x = await must(first.hold('f32', given.x))
    const made = await Promise.all([must(one.run({ x })), must(two.run(given)), must(one.run(given))])
    expect(made.map(({ y }) => y.data)).toEqual([1, 2, 3].map(() => Float32Array.of(2, 4, 6)))
    expect(await refused(two.run({ x }))).toEqual([{ tag: 'unknownTensor', device: second.name, of: first.name }])
    await first.release()
    expect((await must(two.run(given))).y.data).toEqual(Float32Array.of(2, 4, 6))
    await second.release()
  })

  test('finishes what was started before it is released, and then refuses', async () => {
    const device = await open()
    const loaded = await must(device.load(doubled))
    const tensor = await must(device.hold('f32', given.x))
    const running = [must(loaded.run(given)), must(loaded.run({ x: tensor }))]
    await Promise.all([device.release(), device.release()])
    expect((await Promise.all(running)).map(({ y }) => y.data)).toEqual([Float32Array.of(2, 4, 6), Float32Array.of(2, 4, 6)])
    for (const run of [loaded.run, loaded.profile])
      expect(await refused(run(given) as TE.TaskEither<unknown, unknown>)).toEqual([
        { tag: 'released', device: device.name, what: 'a run' },
      ])
    expect(await refused(device.read(tensor))).toMatchObject({ tag: 'released' })
    expect(await refused(device.hold('f32', given.x))).toMatchObject({ tag: 'released' })
    expect(await refused(device.load(doubled))).toMatchObject({ tag: 'released' })
    device.drop(tensor)
  })

  test('that is lost says so', async () => {
    const acquired = right(await acquire('software')(), renderAcquireError)
    const device = deviceOn(acquired)
    const loaded = await must(device.load(doubled))
    acquired.device.destroy()
    await acquired.device.lost
    expect(await refused(loaded.run(given))).toMatchObject([{ tag: 'deviceLost', device: device.name }])
    await device.release()
  })

  test('lost while it runs says so', async () => {
    const acquired = right(await acquire('software')(), renderAcquireError)
    const device = deviceOn(acquired)
    const loaded = await must(device.load(doubled))
    const running = refused(loaded.run(given))
    acquired.device.destroy()
    expect(await running).toMatchObject([{ tag: 'deviceLost' }])
    await device.release()
  })

  test('gives a tensor back when it is dropped', async () => {
    const device = await open()
    const loaded = await must(device.load(doubled))
    const x = await must(device.hold('f32', given.x))
    device.drop(x)
    device.drop(x)
    expect(await refused(loaded.run({ x }))).toMatchObject([{ tag: 'unknownTensor' }])
    expect(await refused(device.read(x))).toMatchObject({ tag: 'unknownTensor' })
    await device.release()
  })
})

describe('what a device refuses is a value:', () => {
  test('more bytes than it has', async () => {
    const device = await open({ limitsOf: 'minimum' })
    const huge = planned(program({ inputs: {}, body: () => ({ outputs: { y: iota('n', 2 ** 25 + 1) } }) }))
    const loaded = await must(device.load(huge))
    expect(await refused(loaded.run({}))).toEqual([{ tag: 'outOfMemory', device: device.name, asked: 2 ** 27 + 4, limit: 2 ** 27 }])
    await device.release()
  })

  test('more bytes than there are, or than its limits allow; smaller runs go on', async () => {
    const device = await open()
    const counting = (size: number) => load(device, program({ inputs: {}, body: () => ({ outputs: { y: iota('n', size) } }) }))
    const [huge, small] = [await counting(2 ** 28), await counting(3)]
    const [error] = await refused(huge.run({}))
    const { maxStorageBufferBindingSize: limit } = device.facts.limits
    if (limit! < 2 ** 30) expect(error).toEqual({ tag: 'outOfMemory', device: device.name, asked: 2 ** 30, limit })
    else {
      expect(error).toMatchObject({ tag: 'exhausted', device: device.name })
      expect(renderRunError(error)).toMatch(
        /^\d+ bytes on .*\n  because: the system has no room for them beside the \d+ bytes that the device holds/,
      )
    }
    expect((await must(small.run({}))).y.data).toEqual(Int32Array.of(0, 1, 2))
    await device.release()
  })

  test('a kernel with more parameters than a block may hold', async () => {
    const device = await open({ limitsOf: 'minimum' })
    const [kernel] = doubled.kernels
    const parameters = Array.from({ length: 20_000 }, () => 'f32' as const)
    expect(await refused(device.load({ ...doubled, kernels: [{ ...kernel!, parameters }] }))).toMatchObject({
      tag: 'kernelRefused',
      because: 'its parameters take 80016 bytes, and the device allows 65536',
    })
    await device.release()
  })

  test('a kernel, by its line and what it computes', async () => {
    const device = await open()
    const [kernel] = doubled.kernels
    const wrong: Kernel = {
      ...kernel!,
      body: [
        { tag: 'store', buffer: 0, at: { tag: 'literal', dtype: 'i32', value: 0 }, value: { tag: 'literal', dtype: 'u32', value: 0 } },
      ],
    }
    const error = await refused(device.load({ ...doubled, kernels: [wrong] }))
    expect(error).toMatchObject({ tag: 'kernelRefused', kernel: kernel!.name, computes: ['add f32[n: n]'] })
    expect(renderDeviceError(error)).toMatch(
      /because: line (\d+): .*cannot assign[^]*\n +\1 \|   b0\[0\] = 0u;[^]*\n {2}it computes\n {4}add f32\[n: n\]\n/,
    )
    const again = await refused(device.load({ ...doubled, kernels: [wrong] }))
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
  const loaded = await load(device, p)
  const zeros = { sizes: [2, 3], data: [0, 0, 0, 0, 0, 0] }
  const { y } = await must(loaded.run(Object.fromEntries(names.map((name) => [name, zeros]))))
  expect(y.data).toEqual(Float32Array.of(4, 4))
  await device.release()
})

test('a process ends by itself within two seconds of the release of its device', async () => {
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
    setTimeout(() => child.kill('SIGKILL'), 2000).unref()
  })
  expect(await once(child, 'close')).toEqual([0, null])
  expect(heard.join('')).toBe('1,1\n')
})
