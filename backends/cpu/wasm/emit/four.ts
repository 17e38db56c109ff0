import type { Expr } from '../../../../compiler/index.js'
import type { DType } from '../../../../dsl/index.js'
import * as wasm from '../asm.js'
import type { Instr } from '../encode.js'
import { bytes, emitExpr, load, placeOf, spellingOf, store } from './expr.js'
import { isUnit, whole } from './strides.js'
import {
  bufferAt,
  type Four,
  fourName,
  fresh,
  type I32,
  isVarying,
  type Place,
  type Scope,
  sharing,
  type Vector,
  type Writing,
} from './writing.js'

const { f32x4, i32, i32x4, v128 } = wasm

/** Statements in lanes, and where they stand. */
export interface FourScope extends Scope {
  readonly four: Four
}

const literal: { readonly [D in DType]: (value: number) => Vector } = {
  f32: f32x4.const,
  i32: i32x4.const,
  u32: i32x4.const,
  bool: (value) => i32x4.const(-value),
}

/** One number in all lanes. */
const splat: { readonly [D in DType]: (x: Instr) => Vector } = {
  f32: (x) =>
    x.tag === 'memory' && x.op === 'f32.load'
      ? v128.load32_splat(x.args[0] as I32, { offset: x.offset })
      : f32x4.splat(x as wasm.Expr<'f32'>),
  i32: (x) => i32x4.splat(x as I32),
  u32: (x) => i32x4.splat(x as I32),
  bool: (x) => i32x4.splat(i32.sub(0, x as I32)),
}

/** Four numbers as memory has them, as lanes. */
const fromMemory: { readonly [D in DType]: (x: Vector) => Vector } = {
  f32: (x) => x,
  i32: (x) => x,
  u32: (x) => x,
  bool: (x) => i32x4.ne(x, 0),
}

const toMemory: { readonly [D in DType]: (x: Vector) => Vector } = {
  f32: (x) => x,
  i32: (x) => x,
  u32: (x) => x,
  bool: i32x4.neg,
}

const laneNumbers = [0, 1, 2, 3] as const

const lane = (dtype: DType, x: Vector, at: number): Instr => (dtype === 'f32' ? f32x4.extract_lane(at, x) : i32x4.extract_lane(at, x))

/** Four numbers, the first of which is computed first, as a vector. */
const together = (dtype: DType, numbers: readonly Instr[]): Vector => {
  const [first, ...rest] = numbers
  return dtype === 'f32'
    ? rest.reduce<Vector>((made, x, i) => f32x4.replace_lane(i + 1, made, x as wasm.Expr<'f32'>), f32x4.splat(first as wasm.Expr<'f32'>))
    : rest.reduce<Vector>((made, x, i) => i32x4.replace_lane(i + 1, made, x as I32), i32x4.splat(first as I32))
}

/** The places of four elements that are not side by side, and what must be computed before. */
const places = (
  w: Writing,
  buffer: number,
  at: Expr,
  scope: FourScope,
): { readonly before: readonly Instr[]; readonly of: readonly Place[] } => {
  const stride = scope.four.strides(at)
  if (stride === undefined) {
    const indices = fresh(w, 'v128', 'v')
    const before = [wasm.set(indices, emitFour(w, at, scope))]
    return {
      before,
      of: laneNumbers.map((i) => ({ address: i32.add(bufferAt(buffer), i32.shl(i32x4.extract_lane(i, indices), 2)), offset: 0 })),
    }
  }
  const { address, offset } = placeOf(w, buffer, at, scope)
  const first = fresh(w, 'i32', 'at')
  const known = whole(stride)
  if (known !== undefined)
    return {
      before: [wasm.set(first, address)],
      of: laneNumbers.map((i) =>
        known < 0 ? { address: i32.add(first, 4 * i * known), offset } : { address: first, offset: offset + 4 * i * known },
      ),
    }
  const step = fresh(w, 'i32', 'step')
  return {
    before: [wasm.set(first, address), wasm.set(step, bytes(w, stride, scope))],
    of: laneNumbers.map((i) => ({ address: i === 0 ? first : i32.add(first, i === 1 ? step : i32.mul(step, i)), offset })),
  }
}

const emitRead = (w: Writing, { dtype, buffer, at }: Extract<Expr, { readonly tag: 'read' }>, scope: FourScope): Vector => {
  if (isUnit(scope.four.strides(at))) {
    const { address, offset } = placeOf(w, buffer, at, scope)
    return fromMemory[dtype](v128.load(address, { offset, align: 4 }))
  }
  const { before, of } = places(w, buffer, at, scope)
  const numbers = of.map((place) => load(dtype, place))
  return fromMemory[dtype](v128.block('gathered', [...before, together(dtype, numbers)]))
}

/** Store four elements. */
export const storeFour = (w: Writing, dtype: DType, buffer: number, at: Expr, value: Vector, scope: FourScope): readonly Instr[] => {
  const stored = toMemory[dtype](value)
  if (isUnit(scope.four.strides(at))) {
    const { address, offset } = placeOf(w, buffer, at, scope)
    return [v128.store(address, stored, { offset, align: 4 })]
  }
  const values = fresh(w, 'v128', 'v')
  const { before, of } = places(w, buffer, at, scope)
  return [wasm.set(values, stored), ...before, ...of.map((place, i) => store(dtype, place, lane(dtype, values, i)))]
}

/** An expression in all lanes. */
export const emitFour = (w: Writing, e: Expr, scope: FourScope): Vector => {
  const { four } = scope
  if (e.tag === 'literal') return literal[e.dtype](e.value)
  if (e.tag === 'variable' && four.named.has(e.name)) return wasm.local('v128', fourName(e.name, four.folds.has(e.name) ? four.turn : 0))
  if (!isVarying(four, e)) return splat[e.dtype](emitExpr(w, e, scope))
  switch (e.tag) {
    case 'parameter':
    case 'variable':
    case 'index':
      return i32x4.add(i32x4.splat(emitExpr(w, e, scope) as I32), wasm.fourLanes(laneNumbers))
    case 'read':
      return emitRead(w, e, scope)
    case 'op':
      return spellingOf(e).four(
        e.operands.map((x) => emitFour(w, x, scope)),
        sharing(w),
      ) as Vector
  }
}
