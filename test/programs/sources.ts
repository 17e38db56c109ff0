import { build, type DType } from '../../dsl/index.js'
import { constant as known, type Known } from './known.js'
import { point, type Range } from './range.js'
import { gridOf, someAxes, type Workshop } from './workshop.js'

const dtypes: readonly DType[] = ['f32', 'f32', 'f32', 'f32', 'f32', 'f32', 'bool', 'i32', 'u32', 'f32']

/** Floats on a grid and with ties, near ones that never tie, or none but −1, 0 and 1. */
const floats: readonly Range[] = [gridOf.f32, { low: -2, high: 2, grid: Infinity }, { low: -1, high: 1, grid: 0 }]

export const input = (w: Workshop): Known => {
  const dtype = dtypes[w.roll(0, dtypes.length)]!
  return w.input(dtype, someAxes(w, [w.roll(1, 60), w.roll(2, 4)]), dtype === 'f32' ? floats[w.roll(2, 3)]! : gridOf[dtype])
}

const constants: readonly (readonly [number, DType])[] = [
  [1.5, 'f32'],
  [-0.75, 'f32'],
  [0.1, 'f32'],
  [2, 'i32'],
  [1, 'u32'],
  [1, 'bool'],
]

export const constant = (w: Workshop): Known => known(...constants[w.roll(0, constants.length)]!)

const someAxis = (w: Workshop) => w.operand(0, ['f32', 'i32', 'u32', 'bool'], ({ x }) => x.axes.length > 0 && x.axes.length <= 4).x.axes[0]

/** A size is an input's to bind: an axis is taken from a tensor, so that some input has it. */
export const iota = (w: Workshop): Known => {
  const axis = someAxis(w)
  if (axis === undefined) return known(2, 'i32')
  const last = w.number(axis.size) - 1
  return { x: build.iota(axis.name, axis.size), range: { low: 0, high: Math.max(0, last), grid: 0 } }
}

export const extent = (w: Workshop): Known => {
  const axis = someAxis(w)
  return axis === undefined ? known(1, 'i32') : { x: build.extent(axis.size), range: point(w.number(axis.size)) }
}
