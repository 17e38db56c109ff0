import * as E from 'fp-ts/lib/Either.js'
import type { Peak } from '../profile.js'
import { createTeam } from './team.js'
import * as wasm from './wasm/asm.js'
import { encode, type WasmFunction } from './wasm/encode.js'
import { mostPages, pageBytes } from './wasm/emit/program.js'
import { runName } from './wasm/emit/run.js'

const { f32x4, i32, v128 } = wasm

/** Sums that do not wait for each other, as many as registers hold. */
const chains = 12
const turns = 400_000

/** Of each thread: more than it has of the caches. */
const copied = 16 * 1024 * 1024
const unroll = 4

/** The commands of a list here. */
const [multiplying, copying, end] = [0, 1, 2]

const [list, scratch, first] = ['list', 'scratch', 'first'].map((name) => wasm.local('i32', name)) as [
  wasm.Local<'i32'>,
  wasm.Local<'i32'>,
  wasm.Local<'i32'>,
]
const [x, n] = [wasm.local('v128', 'x'), wasm.local('i32', 'n')]
const sums = Array.from({ length: chains }, (_, i) => wasm.local('v128', `s${String(i)}`))

/** Products and sums in registers alone. What they give is stored, or an engine might leave them out. */
const multiply = (fused: boolean) => [
  wasm.set(x, f32x4.const(0.5)),
  wasm.loop('multiply', [
    ...sums.map((sum) => wasm.set(sum, fused ? f32x4.relaxed_madd(x, x, sum) : f32x4.add(sum, f32x4.mul(x, x)))),
    wasm.brIf('multiply', i32.lt_s(wasm.tee(n, i32.add(n, 1)), turns)),
  ]),
  ...sums.map((sum, i) => v128.store(scratch, sum, { offset: 16 * i })),
]

const copy = [
  wasm.loop('copy', [
    ...Array.from({ length: unroll }, (_, i) =>
      v128.store(i32.add(scratch, n), v128.load(i32.add(i32.add(scratch, copied), n), { offset: 16 * i }), { offset: 16 * i }),
    ),
    wasm.brIf('copy', i32.lt_s(wasm.tee(n, i32.add(n, 16 * unroll)), copied)),
  ]),
]

/** What a team runs in place of a program. */
const moduleOf = (fused: boolean): Uint8Array => {
  const run: WasmFunction = {
    name: runName,
    params: [list, scratch, first, wasm.local('i32', 'last')].map(({ name, type }) => ({ name, type })),
    results: [],
    locals: [x, n, ...sums].map(({ name, type }) => ({ name, type })),
    body: [wasm.when(i32.eq(first, multiplying), multiply(fused), copy)],
    exported: true,
  }
  return encode({ memory: { module: 'device', name: 'memory', min: 1, max: mostPages, shared: true }, functions: [run] })
}

const rounds = 5

/** Room for what each thread copies, or why there is none: beyond 128 threads a memory is too small, and a machine may have less. */
const memoryOf = (threads: number): E.Either<string, WebAssembly.Memory> =>
  E.tryCatch(
    () => new WebAssembly.Memory({ initial: Math.ceil((2 * copied * threads) / pageBytes), maximum: mostPages, shared: true }),
    (because) => `the peak needs a memory of its own: ${String(because)}`,
  )

/** What so many threads do at most, by loops of nothing else, in a memory of their own: the best of some rounds. */
export const measurePeak = async (threads: number, fused: boolean): Promise<E.Either<string, Peak>> => {
  const made = memoryOf(threads)
  if (E.isLeft(made)) return made
  const memory = made.right
  const team = createTeam(memory, threads)
  const module = new WebAssembly.Module(moduleOf(fused))
  const times = [multiplying, copying].map(() => Number.POSITIVE_INFINITY)
  try {
    for (let round = 0; round < rounds; round++)
      for (const command of [multiplying, copying]) {
        const began = performance.now()
        const died = await team.run(module, { list: 0, scratch: (thread) => thread * 2 * copied, first: command, last: end })
        if (died !== undefined) return E.left(died)
        times[command] = Math.min(times[command]!, (performance.now() - began) / 1000)
      }
  } finally {
    team.stop()
  }
  const [multiplied, moved] = times as [number, number]
  return E.right({ flops: (threads * 2 * 4 * chains * turns) / multiplied, bytes: (threads * 2 * copied) / moved })
}
