import * as E from 'fp-ts/lib/Either.js'
import { openCpu } from '../backends/cpu/index.js'
import { exported, f32x4, fn, i32, loop, set, brIf, tee, type Expr, local } from '../backends/cpu/wasm/asm.js'
import { encode, type WasmFunction } from '../backends/cpu/wasm/encode.js'
import { hasRelaxed } from '../backends/cpu/wasm/relaxed.js'
import { plan } from '../compiler/index.js'
import { contract, countOf, f32, program, type Program, type Value } from '../dsl/index.js'

/** Products of matrices against what a core can do: a loop of multiply-adds that touches no memory, measured between them. */

const must = <Err, A>(either: E.Either<Err, A>): A => {
  if (E.isLeft(either)) throw new Error(JSON.stringify(either.left))
  return either.right
}

const chains = 12
const turns = 100_000

/** Sums that do not wait for each other, as many as registers hold. */
const peakLoop = (fused: boolean): (() => unknown) => {
  const sums = Array.from({ length: chains }, (_, i) => local('v128', `s${String(i)}`))
  const [x, y, n] = [local('v128', 'x'), local('v128', 'y'), local('i32', 'n')]
  const run: WasmFunction = {
    name: 'run',
    params: [],
    results: ['v128'],
    locals: [...sums, x, y, n].map(({ name, type }) => ({ name, type })),
    body: [
      set(x, f32x4.const(0.5)),
      set(y, f32x4.const(0.25)),
      loop('next', [
        ...sums.map((sum) => set(sum, fused ? f32x4.relaxed_madd(x, y, sum) : f32x4.add(sum, f32x4.mul(x, y)))),
        brIf('next', i32.lt_s(tee(n, i32.add(n, 1)), turns)),
      ]),
      sums.reduce<Expr<'v128'>>((total, sum) => f32x4.add(total, sum), x),
    ],
    exported: false,
  }
  const call = exported(fn('call', {}, 'f32', {}, () => [f32x4.extract_lane(0, { tag: 'call', fn: 'run', args: [] } as never)]))
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(encode({ functions: [run, call] })))
  return exports['call'] as () => unknown
}

const peakFlops = 2 * 4 * chains * turns

const some = (...sizes: readonly number[]): Value => ({
  sizes,
  data: Float32Array.from({ length: countOf(sizes) }, (_, i) => Math.sin(i + 1)),
})

const [x, w, dy] = [f32('row', 'k'), f32('k', 'column'), f32('row', 'column')]

/** The three products of a layer: what it gives, and the gradients of its input and of its weights. Each stays on the device. */
const forms = {
  'x·w': program({
    inputs: { x, w },
    state: { made: dy },
    body: (given) => ({ outputs: {}, state: { made: contract('k')(given.x, given.w) } }),
  }),
  'dy·wᵀ': program({
    inputs: { dy, w },
    state: { made: x },
    body: (given) => ({ outputs: {}, state: { made: contract('column')(given.dy, given.w) } }),
  }),
  'xᵀ·dy': program({
    inputs: { x, dy },
    state: { made: w },
    body: (given) => ({ outputs: {}, state: { made: contract('row')(given.x, given.dy) } }),
  }),
} as const

const makes = { 'x·w': 'dy', 'dy·wᵀ': 'x', 'xᵀ·dy': 'w' } as const

const shapes = [
  [512, 512, 512],
  [1024, 64, 168],
  [1024, 64, 968],
  [4096, 64, 64],
  [4096, 64, 168],
  [4096, 64, 968],
  [1024, 256, 688],
  [8, 64, 64],
] as const

const best = (times: readonly number[]): number => Math.min(...times)

const middle = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? NaN

const seconds = async (work: () => unknown): Promise<number> => {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

/** Of all threads together, where other programs do not slow it as much as they do the time that passes. */
const processorSeconds = async (work: () => unknown): Promise<number> => {
  const began = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1e6
}

const rounds = 12

/** The best and the median of some rounds, in each of which the peak is measured, too: other programs slow both. */
const measure = async ({ threads, strict = false }: { readonly threads: number; readonly strict?: boolean }): Promise<void> => {
  const peak = peakLoop(hasRelaxed())
  for (let i = 0; i < 20; i++) peak()
  const device = openCpu({ threads, strict })
  console.log(`${String(threads)} ${threads === 1 ? 'thread' : 'threads'}${strict ? ', strict' : ''}`)
  for (const [m, k, n] of shapes)
    for (const [form, p] of Object.entries(forms)) {
      const loaded = must(await device.load(must(plan(p as Program<unknown, unknown, unknown>)))())
      const values = { x: some(m, k), w: some(k, n), dy: some(m, n) }
      const hold = async (name: keyof typeof values) => must(await device.hold('f32', values[name])())
      const held = Object.fromEntries(
        await Promise.all(Object.keys(p.inputs).map(async (name) => [name, await hold(name as 'x')] as const)),
      )
      const state = { made: await hold(makes[form as keyof typeof makes]) }
      const [times, processor, peaks]: [number[], number[], number[]] = [[], [], []]
      // One run is too short for the clock of the processor's time.
      const runs = Math.ceil(5e7 / (m * k * n))
      const all = async (): Promise<void> => {
        for (let j = 0; j < runs; j++) must(await loaded.run(held, state)())
      }
      for (let i = 0; i < rounds; i++) {
        peaks.push(await seconds(peak))
        for (let j = 0; j < 3; j++)
          processor.push((await processorSeconds(async () => void times.push((await seconds(all)) / runs))) / runs)
      }
      const flops = 2 * m * k * n
      const rate = flops / best(times) / 1e9
      const most = (threads * peakFlops) / best(peaks) / 1e9
      const [median, byProcessor] = [flops / middle(times) / 1e9, (threads * flops) / best(processor) / 1e9]
      const percent = (of: number): string => `${((100 * of) / most).toFixed(0)} %`.padStart(5)
      console.log(
        `[${String(m)}, ${String(k)}]·[${String(k)}, ${String(n)}] ${form}`.padEnd(36),
        `${(1000 * best(times)).toFixed(2)} ms`.padStart(10),
        `${rate.toFixed(1)} GFLOP/s`.padStart(14),
        `${percent(rate)} of ${most.toFixed(1)}, median ${percent(median)}, by processor time ${percent(byProcessor)}`,
      )
    }
  await device.release()
}

await measure({ threads: 1 })
await measure({ threads: 2 })
await measure({ threads: 1, strict: true })
