import type { Expr } from '../../../../compiler/index.js'
import type { DType } from '../../../../dsl/index.js'
import * as wasm from '../asm.js'
import type { Instr } from '../encode.js'
import { accessKey } from './pointers.js'
import { spellings } from './scalar.js'
import type { Spelling } from './spelling.js'
import { bufferAt, type I32, parameterName, type Place, type Scope, sharing, valType, type Writing } from './writing.js'

const { f32, i32 } = wasm

export const load = (dtype: DType, { address, offset }: Place): Instr =>
  dtype === 'f32' ? f32.load(address, { offset }) : i32.load(address, { offset })

export const store = (dtype: DType, { address, offset }: Place, value: Instr): Instr =>
  dtype === 'f32' ? f32.store(address, value as wasm.Expr<'f32'>, { offset }) : i32.store(address, value as I32, { offset })

export const spellingOf = (e: Extract<Expr, { readonly tag: 'op' }>): Spelling => {
  const of = e.operands[0]?.dtype ?? e.dtype
  const spelling = spellings[e.op][of]
  if (spelling === undefined) throw new Error(`no WebAssembly for ${e.op} of ${of}`)
  return spelling
}

/** An expression as one number; within lanes, that of the first of them. */
export const emitExpr = (w: Writing, e: Expr, scope: Scope): Instr => {
  switch (e.tag) {
    case 'literal':
      return e.dtype === 'f32' ? f32.const(e.value) : i32.const(e.value)
    case 'parameter':
      return wasm.local(valType[e.dtype], parameterName(e.slot))
    case 'index':
    case 'variable':
      return wasm.local(valType[e.dtype], e.name)
    case 'read':
      return load(e.dtype, placeOf(w, e.buffer, e.at, scope))
    case 'op':
      return spellingOf(e).one(
        e.operands.map((x) => emitExpr(w, x, scope)),
        sharing(w),
      )
  }
}

export const emitI32 = (w: Writing, e: Expr, scope: Scope): I32 => emitExpr(w, e, scope) as I32

/** base + 4·at; a place that is known is the offset of the access. Within lanes, that of the first of them. */
export const placeOf = (w: Writing, buffer: number, at: Expr, scope: Scope): Place => {
  const pointer = scope.pointers.get(accessKey(w.numbers, buffer, at))
  if (pointer !== undefined) return pointer
  if (at.tag === 'literal') return { address: bufferAt(buffer), offset: 4 * at.value }
  return { address: i32.add(bufferAt(buffer), i32.shl(emitI32(w, at, scope), 2)), offset: 0 }
}

/** So many elements in bytes. */
export const bytes = (w: Writing, elements: Expr, scope: Scope): I32 =>
  elements.tag === 'literal' ? i32.const(4 * elements.value) : i32.shl(emitI32(w, elements, scope), 2)
