import * as E from 'fp-ts/lib/Either.js'
import { expect, test } from 'vitest'
import { onceRight } from '../../../backends/remembered.js'
import { acquire } from '../../../backends/webgpu/acquire.js'
import type { Gpu } from '../../../backends/webgpu/gpu.js'
import { renderAcquireError } from '../../../backends/webgpu/index.js'
import { makeRunner } from '../../../backends/webgpu/running.js'
import { Memory } from '../../../backends/webgpu/memory.js'
import { measurePeak } from '../../../backends/webgpu/peak.js'
import { gpuOf } from '../../../backends/webgpu/runtime.js'
import { Staging } from '../../../backends/webgpu/staging.js'
import { createStamps } from '../../../backends/webgpu/stamps.js'
import { f32, mul, program } from '../../../dsl/index.js'
import { right } from '../../right.js'
import { must, planned, refused, some } from '../opened.js'
import { kind } from './opened.js'

/** What was taken before something is refused is given back. */

const withGpu = async (use: (gpu: Gpu) => Promise<void>): Promise<void> => {
  const acquired = right(await acquire(kind)(), renderAcquireError)
  try {
    await use(gpuOf(acquired))
  } finally {
    await acquired.release()
  }
}

/** A memory of its own that gives no buffer of more bytes. */
const memoryOf = ({ device, limits, name }: Gpu, maxBufferSize: number): Memory => new Memory(device, { ...limits, maxBufferSize }, name)

test('stamps whose staging is refused leave no buffer', () =>
  withGpu(async (gpu) => {
    const memory = memoryOf(gpu, 4000)
    const made = createStamps({ ...gpu, memory, staging: new Staging(memory, 2 ** 20) }, 200)
    expect(made).toMatchObject(E.left({ tag: 'outOfMemory', asked: 4096, limit: 4000 }))
    expect(memory.bytes).toBe(0)
    await Promise.resolve()
  }))

test('stamps whose queries are refused give their staging back', () =>
  withGpu(async (gpu) => {
    const memory = memoryOf(gpu, 3000)
    const staging = new Staging(gpu.memory, 2 ** 20)
    expect(createStamps({ ...gpu, memory, staging }, 200)).toMatchObject(E.left({ tag: 'outOfMemory', asked: 3200 }))
    const { allocations } = gpu.memory
    expect(E.isRight(staging.take(3200))).toBe(true)
    expect(gpu.memory.allocations).toBe(allocations)
    await Promise.resolve()
  }))

test('a timed run whose stamps are refused gives its staging back', () =>
  withGpu(async (gpu) => {
    const plan = planned(program({ inputs: { x: f32('n') }, body: ({ x }) => ({ outputs: { y: mul(x, x) } }) }))
    const staging = new Staging(gpu.memory, 2 ** 20)
    const taken = gpu.memory.create.bind(gpu.memory)
    const noQueries = Object.assign(memoryOf(gpu, 2 ** 20), {
      create: (bytes: number, usage: 'data' | 'queries' | 'staging' | 'parameters') =>
        usage === 'queries' ? E.left(gpu.memory.tooMuch(bytes, 0)) : taken(bytes, usage),
    })
    const runner = await must(makeRunner({ ...gpu, staging, memory: noQueries }, plan))
    const inputs = { x: some(5) }
    const run = (isTimed: boolean) => runner({ inputs, state: undefined, isTimed })
    const bytesAfter = async (): Promise<number> => {
      expect(await run(true)).toMatchObject(E.left([{ tag: 'outOfMemory', limit: 0 }]))
      expect(E.isRight(await run(false))).toBe(true)
      return gpu.memory.bytes
    }
    expect(await bytesAfter()).toBe(await bytesAfter())
  }))

test('a roofline that cannot be measured leaves no tensor', () =>
  withGpu(async (gpu) => {
    const staging = new Staging(memoryOf(gpu, 0), 0)
    expect(await measurePeak({ ...gpu, staging })).toMatchObject(E.left({ tag: 'outOfMemory', limit: 0 }))
    expect(gpu.held.all()).toEqual([])
  }))

test('what failed once is done again, and what succeeded is not', async () => {
  const results = [E.left('busy'), E.right(1), E.right(2)]
  const task = onceRight(() => Promise.resolve(results.shift()!))
  expect(await refused(task)).toBe('busy')
  expect([await must(task), await must(task)]).toEqual([1, 1])
})
