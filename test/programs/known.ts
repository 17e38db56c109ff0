import { type AnyTensor, axisOf, build, type DType, type ScalarOp } from '../../dsl/index.js'
import { magnitude, point, type Range, ranges } from './range.js'

/** A tensor and what is known of its elements. */
export interface Known {
  readonly x: AnyTensor
  readonly range: Range
}

export const has = (name: string, { x }: Known): boolean => axisOf(x, name) !== undefined

export const isInt = ({ x }: Known): boolean => x.dtype === 'i32' || x.dtype === 'u32'

export const constant = (value: number, dtype: DType): Known => ({ x: build.constant(value, dtype), range: point(value) })

/** A scalar operation on operands that meet and lie in its domain. */
export const apply = (op: ScalarOp, ...operands: readonly Known[]): Known => ({
  x: build.map(op, ...operands.map(({ x }) => x)),
  range: ranges[op](...operands.map(({ range }) => range)),
})

/** The same elements in another shape. */
export const moved = ({ x, range }: Known, f: (x: AnyTensor) => AnyTensor): Known => ({ x: f(x), range })

export const clamped = (k: Known, low: number, high: number): Known =>
  apply('max', apply('min', k, constant(high, k.x.dtype)), constant(low, k.x.dtype))

/** k, made smaller where it could be great: a power of two keeps what is exact so. */
export const tame = (k: Known): Known => {
  const great = magnitude(k.range)
  if (k.x.dtype === 'bool') return k
  if (k.x.dtype === 'f32') return great <= 8 ? k : apply('mul', k, constant(2 ** -Math.ceil(Math.log2(great / 4)), 'f32'))
  return great <= 40 ? k : clamped(k, k.x.dtype === 'u32' ? 0 : -9, 9)
}

/** |k| + ½, unless k is above zero already. */
export const positive = (k: Known): Known => (k.range.low >= 0.25 ? k : apply('add', apply('abs', k), constant(0.5, 'f32')))
