import { build } from '../../dsl/index.js'
import { apply, constant, has, type Known, tame } from './known.js'
import { magnitude, repeated } from './range.js'
import { meeting, type Workshop } from './workshop.js'

/** A coefficient of at most 1, so that nothing grows faster than a sum. */
const small = (k: Known): Known => {
  const great = magnitude(k.range)
  if (great <= 1) return k
  return k.x.dtype === 'f32'
    ? apply('mul', k, constant(2 ** -Math.ceil(Math.log2(great)), 'f32'))
    : apply('max', apply('min', k, constant(1, k.x.dtype)), constant(k.x.dtype === 'u32' ? 0 : -1, k.x.dtype))
}

/** By a tensor that meets the other and may be the wider, or by a number. */
export const recurrence = (w: Workshop): Known => {
  const given = w.operand(0, ['f32', 'f32', 'f32', 'i32', 'u32'], ({ x }) => x.axes.length > 0)
  const { dtype } = given.x
  const coefficient = w.roll(2, 2) === 0 ? w.operand(1, [dtype]) : constant(dtype === 'f32' && w.roll(1, 2) === 0 ? 0.5 : 1, dtype)
  const [first, second] = meeting(w, given, small(coefficient), w.roll(1, 6))
  const [a, x] = [
    small(second),
    first.x.axes.length >= second.x.axes.length ? first : { ...first, x: build.broadcastTo(second.x.axes)(first.x) },
  ]
  const axis = x.x.axes[w.roll(0, Math.max(1, x.x.axes.length))]
  if (axis === undefined || !has(axis.name, x)) return given
  const made = build.linearRecurrence(axis.name, w.roll(1, 2) === 0 ? 'forward' : 'backward')(a.x, x.x)
  const size = magnitude(x.range)
  const grid = a.range.grid === 0 ? x.range.grid : Infinity
  const signed = { low: dtype === 'u32' || (x.range.low >= 0 && a.range.low >= 0) ? 0 : -size, high: size, grid }
  return tame({ x: made, range: repeated(signed, Math.max(1, w.number(axis.size))) })
}
