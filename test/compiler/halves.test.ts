import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inHalves, layout, nearestHalf, type Plan, plan } from '../../compiler/index.js'
import { bind, contract, exp, f32, givenValues, program, rename, sizeOf, sum } from '../../dsl/index.js'
import { law } from '../law.js'
import { right } from '../right.js'

/** Every number of f16 that is not negative, smallest first, by its bits: five of an exponent, ten of a fraction. */
const halves: readonly number[] = Array.from({ length: 0x7c00 }, (_, bits) => {
  const [exponent, fraction] = [bits >> 10, bits & 1023]
  return exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25)
})

test('every number of f16 is its own nearest, and those between two go to the nearer, from the middle to the even one', () => {
  for (const [bits, low] of halves.entries()) {
    const high = halves[bits + 1] ?? Infinity
    const middle = high === Infinity ? 65_520 : (low + high) / 2
    const even = bits % 2 === 0 ? low : high
    expect([nearestHalf(low), nearestHalf(middle), nearestHalf(-middle)]).toEqual([low, even, -even])
    expect([nearestHalf(middle - middle * 2 ** -30), nearestHalf(middle + middle * 2 ** -30)]).toEqual([low, high])
  }
})

law(
  'what is rounded to f16 twice is rounded once, and keeps its order',
  fc.property(fc.float(), fc.float(), (x, y) => {
    const [a, b] = [nearestHalf(x), nearestHalf(y)]
    expect(nearestHalf(a)).toBe(a)
    if (x <= y) expect(a <= b).toBe(true)
  }),
)

test('what is no number, or beyond the greatest, stays so', () => {
  expect([NaN, Infinity, -Infinity, 65_519, 65_520, -1e30, -0].map(nearestHalf)).toEqual([
    NaN,
    Infinity,
    -Infinity,
    65_504,
    Infinity,
    -Infinity,
    -0,
  ])
})

/** Two layers: what is between them, its gradient of the weights, and a sum over all of it. */
const layers = program({
  inputs: { x: f32({ row: sizeOf('row'), embed: 64 }), up: f32({ embed: 64, hidden: 64 }), down: f32({ hidden: 64, out: 64 }) },
  body: ({ x, up, down }) => {
    const hidden = exp(contract('embed')(x, up))
    return {
      outputs: {
        y: contract('hidden')(hidden, down),
        all: pipe(hidden, sum('row', 'hidden')),
        slope: contract('row')(x, pipe(hidden, rename({ hidden: 'h' }))),
      },
    }
  },
})

const arenaOf = (p: Plan, rows: number): number => {
  const inputs = { x: [rows, 64], up: [64, 64], down: [64, 64] }
  const given = Object.fromEntries(
    Object.entries(inputs).map(([name, sizes]) => [name, { sizes, data: new Float32Array(sizes[0]! * sizes[1]!) }]),
  )
  const elsewhere = new Set(p.buffers.flatMap(({ role }, i) => (role.tag === 'given' ? [i] : [])))
  return layout(p, right(bind(p.requirements, givenValues(p.program, given as never, {}))).sizes, elsewhere).arena
}

test('activations are kept in half the bytes; results, and what is summed over rows, are not', () => {
  const whole = right(plan(layers))
  const halved = inHalves(whole)
  const kept = halved.buffers.flatMap(({ inHalves: isHalf, role }, i) => (isHalf === true ? [[i, role.tag]] : []))
  expect(kept.map(([, role]) => role)).toEqual(['made'])
  expect(halved.kernels.length).toBe(whole.kernels.length)
  expect(arenaOf(whole, 1024) - arenaOf(halved, 1024)).toBe(2 * 64 * 1024)
})
