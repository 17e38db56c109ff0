import { add, floor, mul, sub, type Tensor } from '../dsl/index.js'

/** 1/9!, −1/7!, 1/5!, −1/3! */
const coefficients = [1 / 362_880, -1 / 5040, 1 / 120, -1 / 6] as const

/**
 * sin x, of operations that the language has:
 *
 *   (−1)ⁿ · (r − r³/3! + r⁵/5! − … − r¹¹/11!)   with n = ⌊x/π + ½⌋ and r = x − nπ, so |r| ≤ π/2 and the next term is below 6·10⁻⁸
 */
export const sine = <A extends string>(x: Tensor<A>): Tensor<A> => {
  const n = floor(add(mul(x, 1 / Math.PI), 0.5))
  const r = sub(x, mul(n, Math.PI))
  const square = mul(r, r)
  const tail = coefficients.reduce((sum, coefficient) => mul(square, add(sum, coefficient)), mul(square, -1 / 39_916_800))
  const odd = sub(n, mul(floor(mul(n, 0.5)), 2))
  return mul(sub(1, mul(odd, 2)), add(r, mul(r, tail)))
}

export const cosine = <A extends string>(x: Tensor<A>): Tensor<A> => sine(add(x, Math.PI / 2))
