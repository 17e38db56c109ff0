import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { add, bool, defineLoss, f32, maskedStd, maskedVariance, mul, std, variance, type VarianceSettings } from '../../dsl/index.js'
import { elements } from '../autodiff/run.js'
import { law } from '../law.js'
import { in32, in64, type OfRow, type Read } from './of-row.js'
import { expectRightGradient } from './right-gradient.js'

type Ddof = VarianceSettings['ddof']

/** The formula of a row in which not all are equal. */
type Plain = (x: readonly number[], ddof: Ddof) => Read

const plainVariance: Plain = (x, ddof) => {
  const mean = x.reduce((a, b) => a + b, 0) / x.length
  const free = x.length - ddof
  return { value: x.reduce((total, v) => total + (v - mean) ** 2, 0) / free, slopes: x.map((v) => (2 * (v - mean)) / free) }
}

const plainStd: Plain = (x, ddof) => {
  const { value, slopes } = plainVariance(x, ddof)
  return { value: Math.sqrt(value), slopes: slopes.map((slope) => slope / 2 / Math.sqrt(value)) }
}

interface Named {
  readonly plain: Plain
  readonly of: (settings: VarianceSettings) => OfRow
  readonly masked: (settings: VarianceSettings) => OfRow
}

const both: Readonly<Record<string, Named>> = {
  variance: {
    plain: plainVariance,
    of: (settings) => (x) => pipe(x, variance('n', settings)),
    masked: (settings) => (x, mask) => pipe(x, maskedVariance(mask, 'n', settings)),
  },
  std: {
    plain: plainStd,
    of: (settings) => (x) => pipe(x, std('n', settings)),
    masked: (settings) => (x, mask) => pipe(x, maskedStd(mask, 'n', settings)),
  },
}

const near = (got: Read, from: Read): boolean =>
  [got.value, ...got.slopes].every((g, i) => Math.abs(g - [from.value, ...from.slopes][i]!) <= 1e-12)

const tenths = fc.integer({ min: -50, max: 50 }).map((n) => n / 10)

const anyRow = fc.array(tenths, { minLength: 2, maxLength: 6 }).filter((x) => new Set(x).size > 1)

const ddofs: readonly Ddof[] = [0, 1]
const anyDdof = fc.constantFrom(...ddofs)

/** One reading for each ddof, made once. */
const forEach = <T>(read: (ddof: Ddof) => T): Readonly<Record<Ddof, T>> => ({ 0: read(0), 1: read(1) })

const copies = <T>(n: number, x: T): readonly T[] => Array<T>(n).fill(x)

describe.each(Object.entries(both))('%s', (name, { plain, of, masked }) => {
  const whole = forEach((ddof) => in64(of({ ddof })))
  const kept = forEach((ddof) => in64(masked({ ddof })))

  law(
    `${name} is its formula, with its gradient`,
    fc.property(anyRow, anyDdof, (x, ddof) => near(whole[ddof](x), plain(x, ddof))),
  )

  law(
    `masked ${name} is that of what the mask keeps, whatever it hides`,
    fc.property(anyRow, fc.array(fc.constantFrom(NaN, Infinity, -Infinity, 3), { maxLength: 3 }), anyDdof, (x, junk, ddof) => {
      const { value, slopes } = plain(x, ddof)
      const got = kept[ddof]([...junk, ...x], [...copies(junk.length, 0), ...copies(x.length, 1)])
      return near(got, { value, slopes: [...copies(junk.length, 0), ...slopes] })
    }),
  )

  const readings = ddofs.flatMap((ddof) => [of({ ddof }), masked({ ddof })].flatMap((f) => [in64(f), in32(f)]))

  law(
    `${name} of equal numbers is 0 and so is its gradient, in both precisions`,
    fc.property(tenths.map(Math.fround), fc.integer({ min: 2, max: 60 }), (x, n) => {
      for (const read of readings) expect(read(copies(n, x))).toEqual({ value: 0, slopes: copies(n, 0) })
    }),
    { runs: 30 },
  )

  test('has the gradient that differences have', () =>
    expectRightGradient(
      defineLoss({
        name,
        inputs: { x: f32('n'), mask: bool('n') },
        loss: ({ x, mask }) => add(of({ ddof: 1 })(x, mask), mul(2, masked({ ddof: 1 })(x, mask))),
      }),
      { sizes: { n: [2, 3, 5] } },
    ))

  test.each(ddofs)('with ddof %i, of nothing there is none, and 0 of what a mask leaves', (ddof) => {
    expect(whole[ddof]([])).toEqual({ value: NaN, slopes: [] })
    expect(kept[ddof]([])).toEqual({ value: 0, slopes: [] })
    expect(kept[ddof]([3, NaN], [0, 0])).toEqual({ value: 0, slopes: [0, 0] })
    expect(kept[ddof]([3, NaN], [1, 0])).toEqual({ value: 0, slopes: [0, 0] })
  })

  test('of one number it is 0, or NaN where n − 1 divides', () => {
    expect(whole[0]([3])).toEqual({ value: 0, slopes: [0] })
    expect(whole[1]([3]).value).toBeNaN()
  })

  test('of an infinite number or a NaN it is NaN', () => {
    for (const read of [whole[0], kept[0]]) for (const x of [Infinity, -Infinity, NaN]) expect(read([1, x]).value).toBeNaN()
  })
})

test('in float32, numbers far from 0 lose no digits', () => {
  const far = [2 ** 23, 2 ** 23 + 1, 2 ** 23 + 3]
  expect(in32((x) => pipe(x, variance('n', { ddof: 0 })))(far).value).toBeCloseTo(14 / 9, 6)
  expect(in32((x, mask) => pipe(x, maskedVariance(mask, 'n', { ddof: 1 })))([...far, 0], [1, 1, 1, 0]).value).toBeCloseTo(14 / 6, 6)
})

test('over two axes it is that of all their numbers, with a mask of one of them, too', () => {
  const x = { sizes: [2, 2], data: [1, 2, 3, 6] }
  expect(elements({ x: f32('row', 'n') }, { x }, (given) => pipe(given.x, variance('row', 'n', { ddof: 1 })))).toEqual([14 / 3])
  expect(
    elements({ x: f32('row', 'n'), mask: bool('row') }, { x, mask: { sizes: [2], data: [0, 1] } }, ({ x: given, mask }) =>
      pipe(given, maskedVariance(mask, 'row', 'n', { ddof: 0 })),
    ),
  ).toEqual([2.25])
})
