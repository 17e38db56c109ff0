import { readFileSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { DeviceTensor } from '../backends/index.js'
import { acquire } from '../backends/webgpu/acquire.js'
import { bufferUsage, mapMode } from '../backends/webgpu/flags.js'
import { openWebGpu, scheduled, wgslOf } from '../backends/webgpu/index.js'
import { workgroupSizeOf } from '../backends/webgpu/emit/space.js'
import { plan, parameterValue } from '../compiler/index.js'
import { contract, f32, program, rename, sizeOf, sizes, type Value } from '../dsl/index.js'
import { driverSeconds } from './driver-time.js'
import { type Case, cases, type Exact } from './webgpu-cases.js'

/**
 * Our kernels against those that one would write by hand, in one run and in turns, what each makes compared with float64 before it is timed; then
 * what a run costs the host.
 */

const must = <Err, A>(either: E.Either<Err, A>): A => {
  if (E.isLeft(either)) throw new Error(JSON.stringify(either.left))
  return either.right
}

const kind = process.env['ADAPTER'] === 'software' ? 'software' : 'webgpu'

const { device, adapterName, limits, release } = must(await acquire(kind)())

const dataUsage = bufferUsage.storage | bufferUsage.copyDst | bufferUsage.copySrc

const numbers = (elements: number): Float32Array => Float32Array.from({ length: elements }, (_, i) => Math.sin(i + 1))

const filled = (elements: number): GPUBuffer => {
  const buffer = device.createBuffer({ size: 4 * elements, usage: dataUsage })
  device.queue.writeBuffer(buffer, 0, numbers(elements))
  return buffer
}

const contents = async (buffer: GPUBuffer): Promise<Float32Array> => {
  const staging = device.createBuffer({ size: buffer.size, usage: bufferUsage.mapRead | bufferUsage.copyDst })
  const encoder = device.createCommandEncoder()
  encoder.copyBufferToBuffer(buffer, 0, staging, 0, buffer.size)
  device.queue.submit([encoder.finish()])
  await staging.mapAsync(mapMode.read)
  const copied = new Float32Array(staging.getMappedRange().slice(0))
  staging.destroy()
  return copied
}

/** What launches make, into a buffer that holds none of it yet, must be what float64 makes of the same. */
const check = async (what: string, launches: readonly Launch[], output: GPUBuffer, exact: readonly Exact[]): Promise<void> => {
  device.queue.writeBuffer(output, 0, new Float32Array(output.size / 4).fill(NaN))
  await secondsOf(launches)
  const made = await contents(output)
  const wrong = exact.findIndex(([value, within], i) => !(Math.abs(made[i]! - value) <= within))
  if (wrong >= 0) throw new Error(`${what}: element ${String(wrong)} is ${String(made[wrong])}, in float64 ${String(exact[wrong]?.[0])}`)
}

interface Launch {
  readonly pipeline: GPUComputePipeline
  readonly group: GPUBindGroup
  readonly grid: readonly [number, number?]
}

const launchOf = (code: string, words: ArrayBuffer, buffers: readonly GPUBuffer[], grid: Launch['grid']): Launch => {
  const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module: device.createShaderModule({ code }) } })
  const parameters = device.createBuffer({ size: 256, usage: bufferUsage.uniform | bufferUsage.copyDst })
  device.queue.writeBuffer(parameters, 0, words)
  const entries = [parameters, ...buffers].map((buffer, binding) => ({ binding, resource: { buffer } }))
  return { pipeline, group: device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }), grid }
}

/** The launches of a program whose kernels have their sizes, as the backend gives them. */
const ourLaunches = (p: Case['program'], given: readonly GPUBuffer[]): readonly Launch[] => {
  const { plan: planned } = scheduled(must(plan(p)))
  const made = planned.buffers.map(({ elements, role }, i) => {
    if (role.tag === 'given') return given[i]!
    return planned.outputs.some(({ buffer }) => buffer === i) ? given[given.length - 1]! : filled(sizes.known(elements) ?? 1)
  })
  const none = new Map<string, number>()
  return planned.commands.flatMap((command) => {
    if (command.tag === 'copy') return []
    const words = new DataView(new ArrayBuffer(256))
    command.parameters.forEach((parameter, slot) => {
      const value = parameterValue(parameter, none)
      if (parameter.tag === 'size') words.setInt32(4 * (slot + 1), value, true)
      else words.setFloat32(4 * (slot + 1), value, true)
    })
    const points = command.extents.reduce((all, size) => all * (sizes.known(size) ?? 1), 1)
    const groups = Math.ceil(points / workgroupSizeOf(planned.kernels[command.kernel]!))
    const high = Math.ceil(groups / limits.maxComputeWorkgroupsPerDimension)
    return [
      launchOf(
        wgslOf(planned, command.kernel),
        words.buffer,
        command.buffers.map((b) => made[b]!),
        [Math.ceil(groups / high), high],
      ),
    ]
  })
}

/** By the driver's threads where they are known, else by the clock. */
const secondsOf = async (launches: readonly Launch[]): Promise<number> => {
  const clock = (): number => driverSeconds() ?? performance.now() / 1000
  const began = clock()
  const encoder = device.createCommandEncoder()
  const pass = encoder.beginComputePass()
  for (const { pipeline, group, grid } of launches) {
    pass.setPipeline(pipeline)
    pass.setBindGroup(0, group)
    pass.dispatchWorkgroups(...grid)
  }
  pass.end()
  device.queue.submit([encoder.finish()])
  await device.queue.onSubmittedWorkDone()
  return clock() - began
}

const middle = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? NaN

/** The median, then the least and the greatest. */
const spread = (times: readonly number[], unit: string, scale = 1): string => {
  const [median, least, most] = [middle(times), Math.min(...times), Math.max(...times)].map((time) => (scale * time).toFixed(1))
  return `${median!} ${unit} (${least!} … ${most!})`
}

const [warmUps, rounds] = [3, Number(process.env['ROUNDS'] ?? 7)]

console.log(
  `${adapterName}, medians of ${String(rounds)} (least … greatest) by ${driverSeconds() === undefined ? 'the clock' : "the driver's processor time"}`,
)
for (const [name, { program: p, elements, byHand, exact }] of Object.entries(cases)) {
  const buffers = elements.map(filled)
  const [x, y] = elements.map(numbers)
  const hands = byHand.map(({ file, words, grid }) => {
    const code = readFileSync(new URL(`wgsl/${file}.wgsl`, import.meta.url), 'utf8')
    return [launchOf(code, Uint32Array.from([0, 1, 2, 3], (i) => words[i] ?? 0).buffer, buffers, grid)]
  })
  const all = [ourLaunches(p, buffers), ...hands]
  const expected = exact(x!, y!)
  for (const [i, launches] of all.entries()) await check(`${name}, ${byHand[i - 1]?.file ?? 'ours'}`, launches, buffers.at(-1)!, expected)
  const times = all.map((): number[] => [])
  for (let round = -warmUps; round < rounds; round++)
    for (const [i, launches] of all.entries()) {
      const seconds = await secondsOf(launches)
      if (round >= 0) times[i]?.push(seconds)
    }
  const [ours = [], ...others] = times
  const hand = others.toSorted((a, b) => middle(a) - middle(b))[0] ?? []
  console.log(
    name.padEnd(20),
    `ours ${spread(ours, 'ms', 1000)}, by hand ${spread(hand, 'ms', 1000)}: ${((100 * middle(hand)) / middle(ours)).toFixed(0)} %`,
  )
}
await release()

/** So many small products, none of which can be one with the next. */
const dispatches = 64

const chain = program({
  inputs: { w: f32({ a: 4, b: 4 }) },
  state: { x: f32({ row: sizeOf('row'), a: 4 }) },
  body: ({ w }, { x }) => ({
    outputs: {},
    state: { x: Array.from({ length: dispatches }).reduce<typeof x>((y) => pipe(contract('a')(y, w), rename({ b: 'a' })), x) },
  }),
})

const some = (...of: readonly number[]): Value => ({
  sizes: of,
  data: new Float32Array(of.reduce((all, size) => all * size, 1)).fill(0.25),
})

const opened = must(await openWebGpu(kind)())
const planned = must(plan(chain))
const loaded = must(await opened.load(planned)())
const w = must(await opened.hold('f32', some(4, 4))())

const held = async (row: number): Promise<DeviceTensor> => must(await opened.hold('f32', some(row, 4))())

/** What the host does until the commands are given, in µs a dispatch: so many runs. */
const hostTimes = async (x: DeviceTensor, runs: number): Promise<readonly number[]> => {
  const times: number[] = []
  for (let i = 0; i < runs; i++) {
    const began = performance.now()
    const running = loaded.run({ w }, { x })()
    times.push((1000 * (performance.now() - began)) / planned.commands.length)
    must(await running)
  }
  return times
}

const [x, wider] = [await held(8), await held(24)]
await hostTimes(x, 2)
const warm = loaded.counts()
const host = await hostTimes(x, 4 * rounds)
const later = loaded.counts()
await hostTimes(wider, 1)
console.log(`${String(planned.commands.length)} dispatches: ${spread(host, 'µs')} of the host each`)
console.log(`buffers made from the third run on: ${String(later.allocations - warm.allocations)}`)
console.log(`kernels compiled for new sizes: ${String(loaded.counts().kernels - later.kernels)}`)
await opened.release()
