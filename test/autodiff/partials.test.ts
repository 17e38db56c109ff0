import { describe, expect, test } from 'vitest'
import { partials } from '../../autodiff/index.js'
import { evaluateTensors, float64 } from '../../backends/cpu/evaluate.js'
import { type AnyTensor, build, type ScalarOp } from '../../dsl/index.js'
import { roundingAlong, sectionOf, slopeFrom, slopesAlong } from '../../verify/differences.js'

/** Points in each operation's domain, away from its kinks; operands of other types than f32 are not listed: they have no derivative. */
const points: { readonly [O in ScalarOp]: readonly (readonly number[])[] } = {
  neg: [[1.5], [-2]],
  abs: [[1.5], [-2]],
  sign: [[1.5], [-2]],
  recip: [[1.5], [-0.25]],
  exp: [[1.5], [-2]],
  expm1: [[1.5], [-1e-3]],
  log: [[1.5], [1e-2]],
  log1p: [[1.5], [-0.5], [1e-3]],
  sqrt: [[2], [1e-2]],
  rsqrt: [[2], [1e-1]],
  sin: [[1.5], [-20]],
  cos: [[1.5], [-20]],
  tanh: [[0.5], [-2]],
  erf: [[0.5], [-2]],
  sigmoid: [[0.5], [-3]],
  softplus: [[0.5], [-3]],
  floor: [[0.5], [-2.25]],
  add: [[1, 2]],
  sub: [[1, 2]],
  mul: [[1.5, -2]],
  div: [
    [1.5, -2],
    [0, 0.5],
  ],
  pow: [
    [1.5, -2],
    [0.25, 0.5],
    [2, 0],
  ],
  mod: [
    [7.5, 2],
    [-7.5, 2],
    [7.5, -2],
  ],
  min: [
    [1, 2],
    [2, 1],
  ],
  max: [
    [1, 2],
    [2, 1],
  ],
  toF32: [[1.5]],
  select: [[1, 2]],
  less: [],
  lessEqual: [],
  equal: [],
  and: [],
  or: [],
  not: [],
  bitAnd: [],
  bitOr: [],
  bitXor: [],
  shiftLeft: [],
  shiftRight: [],
  toI32: [],
  toU32: [],
  toBool: [],
  floatBits: [],
  bitsToF32: [],
  bitsToI32: [],
  bitsToU32: [],
  threefry0: [],
  threefry1: [],
}

const condition = build.constant(1, 'bool')

const slots = (op: ScalarOp, operands: readonly AnyTensor[]) => (op === 'select' ? [condition, ...operands] : operands)

const bound = (values: readonly number[]) => ({
  sizes: new Map<string, number>(),
  values: new Map(values.map((value, i) => [`x${String(i)}`, { sizes: [], data: [value] }])),
})

describe('the partial derivatives of', () => {
  test.each(Object.entries(points).flatMap(([op, list]) => list.map((at) => [op as ScalarOp, at] as const)))('%s at %j', (op, at) => {
    const operands = at.map((_, i) => build.input(`x${String(i)}`, 'f32', []))
    const all = slots(op, operands)
    const y = build.map(op, ...all)
    const rows = partials[op](...all, y).slice(all.length - at.length)
    const derivatives = rows.map((row) => (row === 'none' ? build.constant(0) : row(build.constant(1))))
    const base = evaluateTensors([y, ...derivatives, ...operands], bound(at), float64)

    operands.forEach((x, i) => {
      const direction = new Map([[x.node, [1]]])
      const section = sectionOf({ y, stops: new Set() }, [x], bound(at), base)
      const slope = slopeFrom(slopesAlong(section, direction), roundingAlong(section, direction, 2 ** -19))
      expect(slope.tag).toBe('slope')
      if (slope.tag === 'slope') expect(base.get(derivatives[i]!.node)!.data[0]).toBeCloseTo(slope.value, 5)
    })
  })

  test.each(Object.entries(points).filter(([, list]) => list.length === 0))('%s are none', (op) =>
    expect(partials[op as ScalarOp](condition, condition, condition).filter((row) => row !== 'none')).toEqual([]),
  )
})

test.each([
  [0, 2, 0, 0],
  [0, 0, 0, 0],
  [0, 1, 1, 0],
  [NaN, 0, 0, NaN],
  [0, -1, -Infinity, -Infinity],
  [-2, 3, 12, NaN],
])('the derivatives of pow(%d, %d) are %d and %d, as in PyTorch', (x, y, byBase, byExponent) => {
  const operands = [build.constant(x), build.constant(y)]
  const rows = partials.pow(...operands, build.map('pow', ...operands))
  const made = rows.map((row) => (row === 'none' ? build.constant(0) : row(build.constant(1))))
  const values = evaluateTensors(made, bound([]), float64)
  expect(made.map(({ node }) => values.get(node)!.data[0]! + 0)).toEqual([byBase, byExponent])
})
