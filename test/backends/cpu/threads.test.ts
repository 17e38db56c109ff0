import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { pipe } from 'fp-ts/lib/function.js'
import { afterAll, describe, expect, test } from 'vitest'
import { grad } from '../../../autodiff/index.js'
import { openCpu } from '../../../backends/cpu/index.js'
import { createTeam } from '../../../backends/cpu/team.js'
import { drop, exported, fn, i32 } from '../../../backends/cpu/wasm/asm.js'
import { encode } from '../../../backends/cpu/wasm/encode.js'
import {
  contract,
  exp,
  f32,
  gather,
  type HostTensor,
  i32 as ids32,
  logSoftmax,
  program,
  rename,
  scatterAdd,
  sum,
  type Tensor,
  tokenLogProbs,
} from '../../../dsl/index.js'
import { ids, load, must, some } from '../opened.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))

const devices = [1, 2, 3].map((threads) => openCpu({ threads, wake: 0 }))
afterAll(async () => {
  for (const device of devices) await device.release()
})

/** A layer, its loss and its gradients, an embedding's, and what reduces along each axis: commands with chunks and without. */
const p = program({
  inputs: { x: f32('row', 'k'), w: f32('k', 'vocab'), picked: ids32('row') },
  body: ({ x, w, picked }) => {
    const loss = (weights: Tensor<'k' | 'vocab'>) => pipe(contract('k')(x, weights), tokenLogProbs('vocab')(picked), sum('row'))
    return {
      outputs: {
        loss: loss(w),
        gradient: grad(loss)(w),
        rows: pipe(x, sum('k')),
        columns: pipe(x, exp, sum('row')),
        softmax: pipe(x, logSoftmax('k')),
        gram: contract('row')(x, pipe(x, rename({ k: 'other' }))),
        scattered: pipe(x, scatterAdd('vocab', picked, { size: 40 })),
        gathered: pipe(w, gather('vocab')(picked)),
      },
    }
  },
})

const inputs = { x: some(301, 130), w: some(130, 40), picked: ids(40, 301) }

type Outputs = Readonly<Record<string, HostTensor>>

const bits = (outputs: Outputs): string =>
  Object.entries(outputs)
    .map(([name, { data }]) => `${name} ${Buffer.from(Float32Array.from(data).buffer).toString('base64')}`)
    .join('\n')

describe('any number of threads', () => {
  test('gives the same bits, run after run', async () => {
    const made = await Promise.all(
      devices.map(async (device) => {
        const loaded = await load(device, p)
        const runs = await Promise.all(Array.from({ length: 4 }, () => must(loaded.run(inputs))))
        return runs.map((outputs) => bits(outputs as unknown as Outputs))
      }),
    )
    expect(new Set(made.flat()).size).toBe(1)
  })

  test('leaves this thread free while others work', async () => {
    const long = program({
      inputs: { x: f32('row', 'k') },
      body: ({ x }) => ({ outputs: { y: pipe(contract('k')(x, pipe(x, rename({ row: 'other' }))), sum('row', 'other')) } }),
    })
    const loaded = await load(devices[1]!, long)
    const order: string[] = []
    setImmediate(() => order.push('this thread'))
    await must(loaded.run({ x: some(600, 400) }))
    order.push('the run')
    expect(order).toEqual(['this thread', 'the run'])
  })
})

describe('a team', () => {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true })
  const params = { list: 'i32', scratch: 'i32', first: 'i32', last: 'i32' } as const
  const moduleOf = (run: Parameters<typeof exported>[0]): WebAssembly.Module =>
    new WebAssembly.Module(
      encode({ memory: { module: 'device', name: 'memory', min: 1, max: 1, shared: true }, functions: [exported(run)] }),
    )
  const notes = moduleOf(fn('run', params, null, {}, ({ scratch, last }) => [i32.store(scratch, last)]))
  const dies = moduleOf(fn('run', params, null, {}, ({ scratch }) => [drop(i32.div_s(1, scratch))]))

  test('has a thread that dies say why, and the next run starts anew', async () => {
    const team = createTeam(memory, 2)
    expect(await team.run(dies, { list: 0, scratch: (thread) => thread, first: 0, last: 1 })).toContain('divide by zero')
    expect(await team.run(notes, { list: 0, scratch: (thread) => 8 + 4 * thread, first: 0, last: 5 })).toBeUndefined()
    expect(Array.from(new Int32Array(memory.buffer, 8, 2))).toEqual([5, 5])
    team.stop()
  })

  test('gives up modules that are gone, and goes on with the others', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const team = createTeam(memory, 2)
    const work = { list: 0, scratch: (thread: number) => 8 + 4 * thread, first: 0, last: 7 }
    for (let i = 0; i < 3; i++) expect(await team.run(moduleOf(fn('run', params, null, {}, () => [])), work)).toBeUndefined()
    collect()
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(await team.run(notes, work)).toBeUndefined()
    expect(Array.from(new Int32Array(memory.buffer, 8, 2))).toEqual([7, 7])
    team.stop()
  })
})

test('a process ends by itself, whether or not its device is released', async () => {
  const body = `
    import { openCpu } from '${root}backends/cpu/index.ts'
    import { plan } from '${root}compiler/index.ts'
    import { exp, f32, program } from '${root}dsl/index.ts'
    const device = openCpu({ threads: 2, wake: 0 })
    const loaded = (await device.load(plan(program({ inputs: { x: f32('n') }, body: ({ x }) => ({ outputs: { y: exp(x) } }) })).right)()).right
    const made = await loaded.run({ x: { sizes: [100_000], data: new Float32Array(100_000) } })()
    console.log(made.right.y.data[99_999])`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', body], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 40_000,
    killSignal: 'SIGKILL',
  })
  const heard: string[] = []
  child.stdout.on('data', (bytes: Buffer) => heard.push(bytes.toString()))
  expect(await once(child, 'close')).toEqual([0, null])
  expect(heard.join('')).toBe('1\n')
})
