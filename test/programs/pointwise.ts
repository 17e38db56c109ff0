import type { DType, ScalarOp } from '../../dsl/index.js'
import { apply, clamped, constant, type Known, moved, positive, tame } from './known.js'
import { isExact, ranges } from './range.js'
import { meeting, type Workshop } from './workshop.js'
import { build } from '../../dsl/index.js'

const quartered = (k: Known): Known => (k.range.high <= 3 ? k : apply('mul', k, constant(0.25, 'f32')))

/** What an operand becomes before an operation that is not for every number. */
const guards: { readonly [O in ScalarOp]?: (k: Known) => Known } = {
  recip: positive,
  exp: quartered,
  expm1: quartered,
  log: positive,
  log1p: (k) => (k.range.low >= -0.75 ? k : apply('abs', k)),
  sqrt: positive,
  rsqrt: positive,
  floatBits: positive,
  bitsToF32: (k) => apply('bitOr', k, constant(0x3f800000, 'u32')),
}

const onFloats = [
  'tanh',
  'neg',
  'abs',
  'recip',
  'exp',
  'expm1',
  'log',
  'log1p',
  'sqrt',
  'rsqrt',
  'sigmoid',
  'softplus',
  'sin',
  'cos',
  'erf',
] as const
/** Not to be continuous is only for operands that no rounding can bring to the other side. */
const onExactFloats = [...onFloats, 'sign', 'floor', 'floor'] as const
const onIntegers = ['neg', 'abs', 'sign'] as const

const guarded = (op: ScalarOp, k: Known): Known => tame(apply(op, (guards[op] ?? ((x) => x))(k)))

export const unary = (w: Workshop): Known => {
  const k = w.operand(0, ['f32', 'f32', 'i32'])
  const ops: readonly ScalarOp[] = k.x.dtype !== 'f32' ? onIntegers : isExact(k.range) ? onExactFloats : onFloats
  return guarded(ops[w.roll(0, ops.length)]!, k)
}

const numbers = ['f32', 'i32', 'u32'] as const

export const binary = (w: Workshop): Known => {
  const first = w.operand(0, numbers)
  const { dtype } = first.x
  const ops: readonly ScalarOp[] =
    dtype === 'f32' ? ['mul', 'add', 'sub', 'div', 'pow', 'mod', 'min', 'max'] : ['add', 'mul', 'min', 'mod', 'max', 'sub']
  const [x, y] = meeting(w, first, w.operand(1, [dtype]), w.roll(1, 6))
  const op = ops[w.roll(0, ops.length)]!
  if (op === 'div') return tame(apply(op, x, positive(y)))
  if (op === 'pow' || (op === 'mod' && dtype === 'f32' && !(isExact(x.range) && isExact(y.range))))
    return tame(apply('pow', positive(x), clamped(y, -2, 2)))
  if (op === 'mod' && dtype === 'f32') return tame(apply(op, x, positive(y)))
  return tame(apply(op, op === 'sub' && dtype === 'u32' ? apply('max', x, y) : x, y))
}

const onWords = ['shiftLeft', 'bitAnd', 'bitOr', 'bitXor', 'shiftRight'] as const
const ofOne = ['floatBits', 'bitsToF32', 'bitsToI32', 'bitsToU32'] as const
const takes: { readonly [O in (typeof ofOne)[number]]: DType } = { floatBits: 'f32', bitsToF32: 'u32', bitsToI32: 'u32', bitsToU32: 'i32' }

/** Bits of floats that no rounding changes. */
export const bits = (w: Workshop): Known => {
  const single = ofOne[w.roll(0, 9)]
  if (single !== undefined)
    return guarded(
      single,
      w.operand(0, [takes[single]], ({ x, range }) => x.dtype !== 'f32' || isExact(range)),
    )
  const first = w.operand(0, ['i32', 'u32'])
  const [x, y] = meeting(w, first, w.operand(1, [first.x.dtype]), w.roll(1, 6))
  const op = onWords[w.roll(2, onWords.length)]!
  return tame(apply(op, x, op === 'shiftLeft' || op === 'shiftRight' ? clamped(y, 0, 4) : y))
}

/** Random words: certain, and any u32. */
export const chance = (w: Workshop): Known => {
  const [first, second] = [w.operand(0, ['u32']), w.operand(1, ['u32'])]
  const [x, y] = meeting(w, first, second, w.roll(1, 6))
  const op = w.roll(0, 2) === 0 ? 'threefry0' : 'threefry1'
  const words = { x: build.map(op, x.x, y.x, x.x, build.constant(w.roll(2, 3), 'u32')) }
  return apply('shiftRight', { x: words.x, range: ranges.threefry0() }, constant(29, 'u32'))
}

export const compare = (w: Workshop): Known => {
  const exact = ({ range }: Known): boolean => isExact(range)
  const first = w.operand(0, numbers, exact)
  const [x, y] = meeting(w, first, w.operand(1, [first.x.dtype], exact), 1)
  return apply((['less', 'lessEqual', 'equal'] as const)[w.roll(0, 3)]!, x, y)
}

export const logic = (w: Workshop): Known => {
  const first = w.operand(0, ['bool'])
  const op = (['not', 'and', 'or'] as const)[w.roll(0, 3)]!
  return op === 'not' ? apply(op, first) : apply(op, ...meeting(w, first, w.operand(1, ['bool']), w.roll(1, 6)))
}

/** The branches meet, then the condition and the wider branch, and what is left is repeated to the wider's axes. */
export const select = (w: Workshop): Known => {
  const first = w.operand(1, ['f32', 'f32', 'i32', 'u32', 'bool'])
  const [x, y] = meeting(w, first, w.operand(2, [first.x.dtype]), w.roll(1, 6))
  const [wide, narrow] = x.x.axes.length >= y.x.axes.length ? [x, y] : [y, x]
  const [branch, condition] = meeting(w, wide, w.operand(0, ['bool']), w.roll(2, 6))
  const other = moved(narrow, (t) => (w.roll(0, 2) === 0 ? build.broadcastTo(branch.x.axes)(t) : t))
  return wide === x ? apply('select', condition, branch, other) : apply('select', condition, other, branch)
}

const casts: { readonly [D in DType]: ScalarOp } = { f32: 'toF32', i32: 'toI32', u32: 'toU32', bool: 'toBool' }

export const cast = (w: Workshop): Known => {
  const to = (['f32', 'i32', 'u32', 'bool'] as const)[w.roll(0, 4)]!
  const k = w.operand(0, ['f32', 'i32', 'u32', 'bool'], ({ x, range }) => x.dtype !== 'f32' || isExact(range))
  return apply(casts[to], k)
}
