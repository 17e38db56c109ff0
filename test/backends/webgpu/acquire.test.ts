import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { afterAll, describe, expect, test } from 'vitest'
import { type AcquireError, renderAcquireError } from '../../../backends/webgpu/acquire-error.js'
import { type Acquired, type AcquireSettings, type Kind, acquire, usualSettings } from '../../../backends/webgpu/acquire.js'
import { instanceOfLibrary } from '../../../backends/webgpu/dawn.js'
import { openDevice } from '../../../backends/webgpu/device.js'
import { bufferUsage, mapMode } from '../../../backends/webgpu/flags.js'
import { type Locate, type PackageName, locate, tested } from '../../../backends/webgpu/packages.js'
import { prepareSoftware } from '../../../backends/webgpu/software.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))

// There is no "skip where no adapter is": the software adapter comes with `npm install`, so its absence is a failure.
const orThrow = async <A>(task: TE.TaskEither<AcquireError, A>): Promise<A> =>
  pipe(
    await task(),
    E.getOrElse((error): A => {
      throw new Error(renderAcquireError(error))
    }),
  )

const squares = /* wgsl */ `
  @group(0) @binding(0) var<storage, read_write> x: array<u32>;
  @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { x[id.x] = id.x * id.x + x[id.x]; }`

/** n² + 1 for n = 0 … 63, by the device. */
const squaresPlusOne = async ({ device }: Acquired): Promise<readonly number[]> => {
  const size = 256
  const x = device.createBuffer({ size, usage: bufferUsage.storage | bufferUsage.copySrc | bufferUsage.copyDst })
  const staging = device.createBuffer({ size, usage: bufferUsage.mapRead | bufferUsage.copyDst })
  const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module: device.createShaderModule({ code: squares }) } })
  device.queue.writeBuffer(x, 0, new Uint32Array(64).fill(1))
  const encoder = device.createCommandEncoder()
  const pass = encoder.beginComputePass()
  pass.setPipeline(pipeline)
  pass.setBindGroup(
    0,
    device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: [{ binding: 0, resource: { buffer: x } }] }),
  )
  pass.dispatchWorkgroups(1)
  pass.end()
  encoder.copyBufferToBuffer(x, 0, staging, 0, size)
  device.queue.submit([encoder.finish()])
  await staging.mapAsync(mapMode.read)
  const numbers = [...new Uint32Array(staging.getMappedRange())]
  staging.unmap()
  return numbers
}

const expected = Array.from({ length: 64 }, (_, n) => n * n + 1)

/** A process of its own that runs `body`, in which `acquire` is in scope. */
const start = (body: string, env: Readonly<Record<string, string>> = {}): ChildProcess => {
  const names = `import { acquire } from '${root}backends/webgpu/acquire.ts'\n`
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', names + body], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 30_000,
    killSignal: 'SIGKILL',
  })
}

interface Ended {
  readonly output: string
  readonly code: number | null
  readonly signal: string | null
}

/** How it ended. It is killed if it is still there `grace` milliseconds after it first wrote something. */
const ended = async (child: ChildProcess, grace = 2000): Promise<Ended> => {
  const heard: string[] = []
  child.stdout!.on('data', (bytes: Buffer) => heard.push(bytes.toString()))
  child.stdout!.once('data', () => setTimeout(() => child.kill('SIGKILL'), grace).unref())
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  return { output: heard.join(''), code, signal }
}

const scratch = await mkdtemp(join(tmpdir(), 'axgrad-acquire-'))
afterAll(() => rm(scratch, { recursive: true }))

describe('the software adapter', () => {
  test('computes', async () => {
    const acquired = await orThrow(acquire('software'))
    expect(acquired.adapterName).toContain('SwiftShader')
    expect(await squaresPlusOne(acquired)).toEqual(expected)
    await acquired.release()
  })

  test('gives one device after the other', async () => {
    for (let turn = 0; turn < 2; turn++) {
      const acquired = await orThrow(acquire('software'))
      expect(await squaresPlusOne(acquired)).toEqual(expected)
      await acquired.release()
    }
  })

  test('gives two devices at the same time, and one outlives the other', async () => {
    const [first, second] = await Promise.all([orThrow(acquire('software')), orThrow(acquire('software'))])
    expect(first.device).not.toBe(second.device)
    expect(await Promise.all([squaresPlusOne(first), squaresPlusOne(second)])).toEqual([expected, expected])
    await first.release()
    expect(await squaresPlusOne(second)).toEqual(expected)
    await second.release()
  })

  test("has the adapter's own limits, or on request WebGPU's minimum", async () => {
    const own = await orThrow(acquire('software'))
    const minimum = await orThrow(acquire('software', { ...usualSettings(), limitsOf: 'minimum' }))
    expect(own.limits).toMatchObject({
      maxBufferSize: 2 ** 30,
      maxStorageBufferBindingSize: 2 ** 30,
      maxComputeWorkgroupStorageSize: 32_768,
    })
    expect(own.limits.maxStorageBuffersPerShaderStage).toBe(own.device.limits.maxStorageBuffersPerShaderStage)
    expect(minimum.limits).toMatchObject({
      maxBufferSize: 2 ** 28,
      maxStorageBufferBindingSize: 2 ** 27,
      maxStorageBuffersPerShaderStage: 8,
      maxComputeWorkgroupStorageSize: 16_384,
    })
    await Promise.all([own.release(), minimum.release()])
  })
})

describe('release', () => {
  test('destroys the device, once', async () => {
    const { device, release } = await orThrow(acquire('software'))
    await Promise.all([release(), release()])
    await release()
    expect((await device.lost).reason).toBe('destroyed')
  })

  test('lets the process exit by itself, within two seconds', async () => {
    const child = start(`const { right } = await acquire('software')(); await right.release(); console.log('released')`)
    expect(await ended(child)).toEqual({ output: 'released\n', code: 0, signal: null })
  })
})

test('processes that prepare the software adapter at the same time do not disturb each other', async () => {
  const cache = join(scratch, 'race')
  const body = `const { right } = await acquire('software')(); await right.release(); console.log(right.adapterName)`
  const children = await Promise.all(Array.from({ length: 4 }, () => ended(start(body, { AXGRAD_CACHE: cache }))))
  for (const child of children) expect(child).toEqual({ output: 'google swiftshader (SwiftShader driver 5.0.0)\n', code: 0, signal: null })
  const [folder, ...others] = await readdir(cache)
  expect(others).toEqual([])
  expect((await readdir(join(cache, folder!))).sort()).toEqual(['dawn.node', 'libvulkan.so.1'])
})

describe("the system's adapter", () => {
  const body = `const acquired = await acquire('webgpu')(); await acquired.right?.release(); console.log(acquired.right?.adapterName ?? acquired.left.tag)`

  test('is the one that Vulkan offers', async () => {
    const folder = dirname(await orThrow(prepareSoftware(usualSettings())))
    const child = start(body, { LD_LIBRARY_PATH: folder })
    expect(await ended(child)).toEqual({ output: 'google swiftshader (SwiftShader driver 5.0.0)\n', code: 0, signal: null })
  })

  test('may be absent', async () => {
    const child = start(body, { VK_DRIVER_FILES: '/nowhere', VK_ICD_FILENAMES: '/nowhere' })
    expect(await ended(child)).toEqual({ output: 'noAdapter\n', code: 0, signal: null })
  })
})

describe('what can fail is a value', () => {
  const failure = async (kind: Kind, settings: Partial<AcquireSettings>): Promise<AcquireError> => {
    const acquired = await acquire(kind, { ...usualSettings(), ...settings })()
    if (E.isRight(acquired)) throw new Error('expected no device')
    return acquired.left
  }
  const without =
    (absent: PackageName): Locate =>
    (name) =>
      name === absent ? O.none : locate(name)
  const at =
    (name: PackageName, folder: string): Locate =>
    (asked) =>
      asked === name ? O.some({ name, version: '0.0.0', folder, entry: join(folder, 'index.js') }) : locate(asked)

  test('an absent package', async () => {
    expect(await failure('webgpu', { locate: without('webgpu') })).toMatchObject({ tag: 'packageAbsent', package: 'webgpu' })
    expect(await failure('software', { locate: without('webgpu') })).toMatchObject({ tag: 'packageAbsent', package: 'webgpu' })
    const error = await failure('software', { locate: without('@sparticuz/chromium') })
    expect(error).toMatchObject({ tag: 'packageAbsent', package: '@sparticuz/chromium' })
    expect(renderAcquireError(error)).toMatchInlineSnapshot(`
      "the npm package '@sparticuz/chromium'
        because: it is installed neither beside axgrad nor in this project
        try: npm install @sparticuz/chromium@143.0.4"
    `)
  })

  test('advice names the versions that are installed here', () => {
    const installed = (name: PackageName) => O.toUndefined(locate(name))?.version
    expect({ webgpu: installed('webgpu'), '@sparticuz/chromium': installed('@sparticuz/chromium') }).toEqual(tested)
  })

  test('a platform without a driver', async () => {
    const error = await failure('software', { platform: 'darwin-arm64' })
    expect(error).toMatchObject({ tag: 'platformUnsupported', platform: 'darwin-arm64', supported: ['linux-x64'] })
  })

  test('a package without the driver', async () => {
    const error = await failure('software', { locate: at('@sparticuz/chromium', scratch) })
    expect(error).toMatchObject({ tag: 'driverAbsent', version: '0.0.0', tested: '143.0.4' })
  })

  test('a cache that cannot be written', async () => {
    const error = await failure('software', { cache: '/dev/null' })
    expect(error).toMatchObject({ tag: 'libraryNotPrepared', cause: expect.stringContaining('ENOTDIR') })
  })

  test('a library that does not load', async () => {
    const folder = join(scratch, 'broken')
    await mkdir(join(folder, 'dist', 'linux-x64'), { recursive: true })
    await writeFile(join(folder, 'dist', 'linux-x64', 'dawn.node'), 'not a library')
    expect(await failure('software', { locate: at('webgpu', folder), cache: scratch })).toMatchObject({ tag: 'libraryNotLoadable' })
    expect(await failure('webgpu', { locate: at('webgpu', folder) })).toMatchObject({ tag: 'libraryNotLoadable' })
  })

  test('a device that is refused', async () => {
    const { gpu } = await orThrow(pipe(prepareSoftware(usualSettings()), TE.chain(instanceOfLibrary)))
    const adapter = await gpu.requestAdapter()
    const { release } = await orThrow(openDevice(adapter!, usualSettings()))
    const again = await openDevice(adapter!, usualSettings())()
    expect(again).toMatchObject(E.left({ tag: 'deviceRefused', cause: expect.stringContaining('consumed') }))
    await release()
  })
})
