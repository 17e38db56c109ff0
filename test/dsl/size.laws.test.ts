import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sizes } from '../../dsl/index.js'
import type { Size } from '../../dsl/index.js'
import { law } from '../law.js'

const { asVariable, compareSizes, evaluateSize, known, literal, minus, plus, product, quotient, scale, sizeOf, times } = sizes

const names = ['batch', 'time', 'vocab']

const anySize: fc.Arbitrary<Size> = fc.letrec<{ size: Size }>((tie) => ({
  size: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(fc.constantFrom(...names).map(sizeOf), fc.integer({ min: -3, max: 9 }).map(literal)),
    fc.tuple(tie('size'), tie('size')).map(([p, q]) => plus(p, q)),
    fc.tuple(tie('size'), tie('size')).map(([p, q]) => minus(p, q)),
    fc.tuple(tie('size'), tie('size')).map(([p, q]) => times(p, q)),
    fc.tuple(tie('size'), fc.integer({ min: 2, max: 5 })).map(([p, by]) => quotient(p, by)),
  ),
})).size

const anyBinding = fc
  .tuple(...names.map(() => fc.nat(12)))
  .map((numbers): ReadonlyMap<string, number> => new Map(names.map((name, i) => [name, numbers[i]!])))

const at = (binding: ReadonlyMap<string, number>) => (p: Size) => evaluateSize(p, binding)!

law(
  'the algebra of sizes is that of numbers at every binding',
  fc.property(anySize, anySize, anyBinding, (p, q, binding) => {
    const value = at(binding)
    expect(value(plus(p, q))).toBe(value(p) + value(q))
    expect(value(minus(p, q))).toBe(value(p) - value(q))
    expect(value(times(p, q))).toBe(value(p) * value(q) + 0)
    expect(value(scale(p, 3))).toBe(3 * value(p))
    expect(value(product([p, q, 2]))).toBe(2 * value(p) * value(q) + 0)
  }),
  { runs: 500 },
)

law(
  'sizes are a commutative ring, by their normal form',
  fc.property(anySize, anySize, anySize, (p, q, r) => {
    expect(plus(p, q).text).toBe(plus(q, p).text)
    expect(times(p, q).text).toBe(times(q, p).text)
    expect(plus(plus(p, q), r).text).toBe(plus(p, plus(q, r)).text)
    expect(times(times(p, q), r).text).toBe(times(p, times(q, r)).text)
    expect(times(p, plus(q, r)).text).toBe(plus(times(p, q), times(p, r)).text)
    expect([plus(p, 0).text, times(p, 1).text, minus(p, p).text, times(p, 0).text]).toEqual([p.text, p.text, '0', '0'])
  }),
)

law(
  'a quotient is the floor of the division',
  fc.property(anySize, fc.oneof(fc.integer({ min: 2, max: 7 }), fc.constantFrom(49, 98, 103)), anyBinding, (p, by, binding) => {
    expect(at(binding)(quotient(p, by))).toBe(Math.floor(at(binding)(p) / by))
  }),
  { runs: 500 },
)

law(
  'what is equal is equal at every binding, what is different is so at every binding',
  fc.property(anySize, anySize, anyBinding, (p, q, binding) => {
    const same = at(binding)(p) === at(binding)(q)
    const compared = compareSizes(p, q)
    if (compared !== 'undecided') expect(same).toBe(compared === 'equal')
  }),
  { runs: 2000 },
)

law(
  'what is surely negative or surely not is so at every binding',
  fc.property(anySize, anyBinding, (p, binding) => {
    if (sizes.surelyNonNegative(p)) expect(at(binding)(p)).toBeGreaterThanOrEqual(0)
    if (sizes.surelyNegative(p)) expect(at(binding)(p)).toBeLessThan(0)
  }),
  { runs: 2000 },
)

law(
  'a size has a value once just its variables are bound',
  fc.property(anySize, anyBinding, (p, binding) => {
    const own = new Set(sizes.variablesOf(p))
    expect(evaluateSize(p, new Map([...binding].filter(([name]) => own.has(name))))).toBe(at(binding)(p))
    for (const name of own) expect(evaluateSize(p, new Map([...binding].filter(([other]) => other !== name)))).toBeUndefined()
  }),
)

test.each(
  [
    [minus(sizeOf('time'), 1), 'time − 1'],
    [times(sizeOf('batch'), minus(sizeOf('time'), 1)), 'batch·time − batch'],
    [quotient(plus(sizeOf('time'), 1), 2), '⌊(time + 1)/2⌋'],
    [quotient(plus(scale(sizeOf('time'), 4), 2), 4), 'time'],
    [quotient(literal(-1), 2), '−1'],
    [quotient(plus(scale(sizeOf('time'), 49), 98), 49), 'time + 2'],
    [minus(0, sizeOf('time')), '−time'],
    [literal(0), '0'],
  ].map(([size, text]) => [text, size] as const),
)('prints as %s', (text, size) => expect(size).toMatchObject({ text }))

test('a size that is one variable binds it', () => {
  expect([sizeOf('time'), minus(sizeOf('time'), 1), literal(3)].map(asVariable)).toEqual(['time', undefined, undefined])
})

test('a size without variables is known', () => {
  expect([literal(3), plus(2, 5), sizeOf('time')].map(known)).toEqual([3, 7, undefined])
})
