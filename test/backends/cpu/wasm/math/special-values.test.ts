import { describe, expect, test } from 'vitest'
import { math, type Unary, unaryNames } from './called.js'

describe('special values', () => {
  const table: readonly (readonly [Unary, x: number, y: number])[] = [
    ['exp', -Infinity, 0],
    ['exp', Infinity, Infinity],
    ['exp', 89, Infinity],
    ['exp', -103, 2 ** -149],
    ['exp', -104, 0],
    ['exp', 88.72283935546875, Infinity],
    ['exp', 2 ** -149, 1],
    ['expm1', 2 ** -149, 2 ** -149],
    ['expm1', 88.72283935546875, Infinity],
    ['expm1', -0, -0],
    ['expm1', -Infinity, -1],
    ['log', 0, -Infinity],
    ['log', -0, -Infinity],
    ['log', -1, NaN],
    ['log', 1, 0],
    ['log', Infinity, Infinity],
    ['log', 2 ** -149, Math.fround(Math.log(2 ** -149))],
    ['log', (2 - 2 ** -23) * 2 ** 127, Math.fround(Math.log((2 - 2 ** -23) * 2 ** 127))],
    ['log1p', 2 ** -149, 2 ** -149],
    ['log1p', -0, -0],
    ['log1p', -1, -Infinity],
    ['log1p', -2, NaN],
    ['log1p', Infinity, Infinity],
    ['tanh', -0, -0],
    ['tanh', -Infinity, -1],
    ['tanh', 1e-30, Math.fround(1e-30)],
    ['tanh', 10, 1],
    ['tanh', -(2 ** -149), -(2 ** -149)],
    ['sigmoid', -103, 2 ** -149],
    ['sigmoid', -104, 0],
    ['sigmoid', 18, 1],
    ['sigmoid', -Infinity, 0],
    ['sigmoid', Infinity, 1],
    ['sigmoid', 0, 0.5],
    ['softplus', -103, 2 ** -149],
    ['softplus', 2 ** 24, 2 ** 24],
    ['softplus', -Infinity, 0],
    ['softplus', Infinity, Infinity],
    ['erf', -0, -0],
    ['erf', -Infinity, -1],
    ['erf', Infinity, 1],
    ['sin', -0, -0],
    ['sin', Infinity, NaN],
    ['cos', 0, 1],
    ['cos', -Infinity, NaN],
  ]

  test.each(table)('%s(%d) is %d', (name, x, y) => {
    expect(math[name](x)).toBe(y)
  })

  test.each(unaryNames)('%s(NaN) is NaN', (name) => {
    expect(math[name](NaN)).toBe(NaN)
  })
})
