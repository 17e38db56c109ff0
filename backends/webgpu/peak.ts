import * as E from 'fp-ts/lib/Either.js'
import { plan } from '../../compiler/index.js'
import { add, f32, mul, program, type Tensor } from '../../dsl/index.js'
import type { DeviceError } from '../backend.js'
import type { Peak } from '../profile.js'
import type { Gpu } from './gpu.js'
import { makeRunner, type Runner } from './running.js'
import { drop, hold } from './tensors.js'

type Line = Tensor<'n'>

/** Products and additions of one element, each of which needs the one before it: elements side by side hide the wait. */
const chain = 128

const multiplied = (x: Line): Line => Array.from({ length: chain }).reduce<Line>((y) => add(mul(y, 0.5), 0.25), x)

const over = (change: (x: Line) => Line) =>
  program({ inputs: {}, state: { x: f32('n') }, body: (_, { x }) => ({ outputs: {}, state: { x: change(x) } }) })

/** A run shorter than this is not measured: it is done again with more elements. In seconds. */
const enough = 0.005

const fewest = 2 ** 16

const rounds = 3

/** How many elements a second a program changes, at most. */
const rateOf = async (gpu: Gpu, change: (x: Line) => Line): Promise<E.Either<DeviceError, number>> => {
  const planned = plan(over(change))
  if (E.isLeft(planned)) throw new Error('the program of a peak has a plan')
  const runner = await makeRunner(gpu, planned.right)()
  if (E.isLeft(runner)) return runner
  const most = Math.min(gpu.limits.maxBufferSize, gpu.limits.maxStorageBufferBindingSize) / 4
  for (let n = fewest; ; n *= 4) {
    const least = await leastSeconds(gpu, runner.right, n)
    if (E.isLeft(least)) return least
    if (least.right >= enough || 4 * n > most) return E.right(n / least.right)
  }
}

/** The least time that a program takes for so many elements, which are dropped whatever happens. */
const leastSeconds = async (gpu: Gpu, run: Runner, n: number): Promise<E.Either<DeviceError, number>> => {
  const x = await hold(gpu, 'f32', { sizes: [n], data: new Float32Array(n) })
  if (E.isLeft(x)) return x
  try {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const ran = await run({ inputs: {}, state: { x: x.right }, isTimed: true })
      if (E.isLeft(ran)) return E.left(ran.left[0] as DeviceError)
      times.push(ran.right.spans.reduce((sum, { seconds }) => sum + seconds, 0))
    }
    return E.right(Math.min(...times))
  } finally {
    drop(gpu, x.right)
  }
}

/** What the device does at most, by programs of its own kind: one that computes and one that copies. */
export const measurePeak = async (gpu: Gpu): Promise<E.Either<DeviceError, Peak>> => {
  const computed = await rateOf(gpu, multiplied)
  if (E.isLeft(computed)) return computed
  const copied = await rateOf(gpu, (x) => add(x, 1))
  return E.map((rate: number) => ({ flops: 2 * chain * computed.right, bytes: 8 * rate }))(copied)
}
