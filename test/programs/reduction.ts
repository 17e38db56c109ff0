import { axisNames, axisOf, build } from '../../dsl/index.js'
import { constant, type Known, has, moved, tame } from './known.js'
import { isExact, ranges, repeated } from './range.js'
import { agreeing, count, dropped, type Workshop } from './workshop.js'

/** Some of the names, at least one if there is one. */
const some = (names: readonly string[], dice: number): readonly string[] => {
  const chosen = names.filter((_, i) => (dice >> i) % 2 === 0)
  return chosen.length > 0 ? chosen : names.slice(0, 1)
}

const over = (w: Workshop, die: 0 | 1): Known => {
  const k = w.operand(0, ['f32', 'f32', 'i32', 'u32'], ({ x }) => x.axes.length > 0)
  return dropped(w, k, some(axisNames(k.x), w.roll(0, 60)), die)
}

export const sum = (w: Workshop): Known => over(w, 0)

export const max = (w: Workshop): Known => over(w, 1)

/** Of no elements it would be infinite. */
export const min = (w: Workshop): Known => {
  const k = w.operand(0, ['f32', 'f32', 'i32', 'u32'], ({ x }) => x.axes.some(({ size }) => w.number(size) > 0))
  const filled = k.x.axes.filter(({ size }) => w.number(size) > 0).map(({ name }) => name)
  return filled.length === 0 ? k : moved(k, build.min(...some(filled, w.roll(0, 60))))
}

/** The place of the greatest or the least, where no rounding changes which that is. */
export const place = (w: Workshop): Known => {
  const { x } = w.operand(0, ['f32', 'i32', 'u32'], ({ x, range }) => x.axes.length > 0 && isExact(range))
  const axis = x.axes[w.roll(0, Math.max(1, x.axes.length))]
  if (axis === undefined) return constant(0, 'i32')
  const of = w.roll(1, 2) === 0 ? build.argMax : build.argMin
  return { x: of(axis.name)(x), range: { low: 0, high: Math.max(0, w.number(axis.size) - 1), grid: 0 } }
}

/** The places in order, where no rounding changes which that is. */
export const sort = (w: Workshop): Known => {
  const { x } = w.operand(0, ['f32', 'i32', 'u32'], ({ x, range }) => x.axes.length > 0 && isExact(range))
  const axis = x.axes[w.roll(0, Math.max(1, x.axes.length))]
  if (axis === undefined) return constant(0, 'i32')
  const places = build.argSort(axis.name, w.roll(1, 2) === 0 ? 'ascending' : 'descending')(x)
  return tame({ x: places, range: { low: 0, high: Math.max(0, w.number(axis.size) - 1), grid: 0 } })
}

/** Over some of the shared axes, or over none: then every product. What would make the result great is summed away before. */
export const contract = (w: Workshop): Known => {
  const x = w.operand(0, ['f32'])
  const fits = agreeing(w, x, w.operand(1, ['f32']), w.roll(1, 6))
  const product = (y: Known, names: readonly string[]): Known => {
    const n = names.reduce((p, name) => p * w.number(axisOf(x.x, name)!.size), 1)
    return { x: build.contract(...names)(x.x, y.x), range: repeated(ranges.mul(x.range, y.range), n) }
  }
  const shared = axisNames(x.x).filter((name) => has(name, fits))
  const names = w.roll(0, 4) === 0 ? [] : some(shared, w.roll(0, 60) >> 2)
  const whole = product(fits, names)
  if (count(w, whole.x) <= w.most && whole.x.axes.length <= 4) return tame(whole)
  const own = axisNames(fits.x).filter((name) => !has(name, x))
  return tame(
    product(
      dropped(
        w,
        moved(fits, (t) => t),
        own,
        w.roll(2, 6),
      ),
      names,
    ),
  )
}
