import * as E from 'fp-ts/lib/Either.js'
import { openCpu } from '../backends/cpu/index.js'
import { plan } from '../compiler/index.js'
import { cos, erf, exp, expm1, f32, log, log1p, program, rsqrt, sigmoid, sin, softplus, sqrt, tanh } from '../dsl/index.js'

/** What one number costs of each scalar function, on one thread, in processor time: the best of some rounds, over a million numbers. */

const functions = { sqrt, rsqrt, exp, expm1, log, log1p, sigmoid, tanh, softplus, erf, sin, cos }

const count = 2 ** 20
const runs = 4
const rounds = 25

const must = <Err, A>(either: E.Either<Err, A>): A => {
  if (E.isLeft(either)) throw new Error(JSON.stringify(either.left))
  return either.right
}

/** Numbers in (0, 20), or in [−10, 10) for what takes negative ones. */
const numbers = Float32Array.from({ length: count }, (_, i) => (1 + ((i * 7919) % 10007)) / 501)
const positive: readonly string[] = ['sqrt', 'rsqrt', 'log', 'log1p']

const device = openCpu({ threads: 1 })
const holding = async (data: Float32Array) => must(await device.hold('f32', { sizes: [count], data })())

for (const [name, f] of Object.entries(functions)) {
  const p = program({ inputs: { x: f32('i') }, state: { y: f32('i') }, body: ({ x }) => ({ outputs: {}, state: { y: f(x) } }) })
  const loaded = must(await device.load(must(plan(p)))())
  const x = await holding(positive.includes(name) ? numbers : numbers.map((v) => v - 10))
  const y = await holding(numbers)
  let best = Infinity
  for (let round = 0; round < rounds; round++) {
    const began = process.cpuUsage()
    for (let run = 0; run < runs; run++) must(await loaded.run({ x }, { y })())
    const { user, system } = process.cpuUsage(began)
    best = Math.min(best, (1000 * (user + system)) / (runs * count))
  }
  console.log(name.padEnd(10), `${best.toFixed(2)} ns`)
}
await device.release()
