import { type Arithmetic, float32, float64, type ScalarTable } from '../../../backends/cpu/evaluate.js'
import { type DType, random, type ScalarOp, scalarOps } from '../../../dsl/index.js'
import { ulps } from '../../../verify/error-bound.js'

const words = new Int32Array(1)
const floats = new Float32Array(words.buffer)

/** The float32 so many places further from 0; a subnormal stays. */
const moved = (x: number, places: number): number => {
  floats[0] = x
  if (Math.abs(floats[0]) < 2 ** -125 || !Number.isFinite(floats[0])) return floats[0]
  words[0]! += places
  return floats[0]
}

/**
 * The worst backend that keeps every promise: each result is as many places off as its operation may be, each sum is taken in an
 * order of its own, and subnormals come out as 0.
 */
export const hostile = (seed: number): Arithmetic<number> => {
  let draws = 0
  const die = (n: number): number => random.bits(random.key(seed), draws++) % n
  const flush = (x: number): number => (Math.abs(x) < 2 ** -126 ? 0 : x)
  const off = (op: ScalarOp, exact: number): number => {
    const whole = Math.floor(ulps[op]) - 1 // one place is the rounding's own
    return flush(whole < 1 ? Math.fround(exact) : moved(exact, die(2 * whole + 1) - whole))
  }
  const table = Object.fromEntries(
    Object.keys(scalarOps).map((name) => {
      const op = name as ScalarOp
      return [op, (...operands: readonly number[]) => off(op, float64.scalar('f32')[op](...operands))]
    }),
  ) as unknown as ScalarTable<number>
  const sum = (terms: readonly number[]): number => {
    const left = [...terms]
    while (left.length > 1) {
      const [x] = left.splice(die(left.length), 1)
      const [y] = left.splice(die(left.length), 1)
      left.push(flush(Math.fround(x! + y!)))
    }
    return left[0] ?? 0
  }
  return {
    ...float32,
    element: (dtype: DType, value) => flush(float32.element(dtype, value)),
    scalar: (result) => (result === 'f32' ? table : float32.scalar(result)),
    sum: (dtype, terms) => (dtype === 'f32' ? sum(terms) : float32.sum(dtype, terms)),
  }
}
