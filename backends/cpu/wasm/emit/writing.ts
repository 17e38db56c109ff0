import type { Expr, FoldOp } from '../../../../compiler/index.js'
import type { DType } from '../../../../dsl/index.js'
import * as wasm from '../asm.js'
import type { Instr } from '../encode.js'
import type { LoopLanes } from './choose.js'
import type { Known } from './pointers.js'
import type { Share } from './spelling.js'
import { isSame, type Strides, stridesAlong } from './strides.js'

export type Held = 'i32' | 'f32' | 'v128'
export type I32 = wasm.Expr<'i32'>
export type Vector = wasm.Expr<'v128'>

/** How an element is held: an unsigned number and a bool as an i32 of the same bits. */
export const valType: { readonly [D in DType]: 'i32' | 'f32' } = { f32: 'f32', i32: 'i32', u32: 'i32', bool: 'i32' }

export const parameterBlock = wasm.local('i32', 'parameters')
export const parameterName = (slot: number): string => `p${String(slot)}`
export const bufferAt = (buffer: number) => wasm.local('i32', `b${String(buffer)}`)

export interface Place {
  readonly address: I32
  readonly offset: number
}

/** Where a pointer makes an access, by its key. */
export type Pointers = ReadonlyMap<string, Place>

/** A function being written. */
export interface Writing extends Known {
  /** Whether a product may be added with one rounding. */
  readonly fused: boolean
  readonly lanes: LoopLanes
  /** The number of the buffer that the scratch memory is. */
  readonly scratch: number
  readonly locals: Map<string, Held>
  readonly lets: Map<string, Expr>
}

/** Where statements stand. */
export interface Scope {
  readonly pointers: Pointers
  /** Within a loop that runs in lanes. */
  readonly four?: Four
}

/** Statements as four turns of a loop do them at once. */
export interface Four {
  readonly index: string
  readonly strides: Strides
  /** The variables whose four values may differ. */
  readonly varying: Set<string>
  /** The variables that are held in lanes. */
  readonly named: Set<string>
  /** How each variable outside the loop is folded in. */
  readonly folds: ReadonlyMap<string, FoldOp>
  /** Which of the vectors that a fold has. */
  readonly turn: number
  /** The lanes in which assignments count; all of them unless said. */
  readonly mask?: Vector
}

export const fourAlong = ({ lets }: Writing, index: string, folds: ReadonlyMap<string, FoldOp>, turn: number): Four => {
  const varying = new Set(folds.keys())
  const strides = stridesAlong(index, (name) => (varying.has(name) ? (lets.get(name) ?? 'varies') : 'same'))
  return { index, strides, varying, named: new Set(varying), folds, turn }
}

export const isVarying = ({ strides }: Four, e: Expr): boolean => !isSame(strides(e))

/** What holds the four values of a variable; of a fold, in each turn of the loop's a vector of its own. */
export const fourName = (name: string, turn = 0): string => (turn === 0 ? `${name}.x4` : `${name}.x4.${String(turn)}`)

export const declared = <T extends Held>({ locals }: Writing, type: T, name: string): wasm.Local<T> => {
  locals.set(name, type)
  return wasm.local(type, name)
}

export const fresh = <T extends Held>(w: Writing, type: T, kind: 'at' | 'step' | 'turns' | 'v' | 'mask'): wasm.Local<T> =>
  declared(w, type, `${kind}${String(w.locals.size)}`)

export const sharing =
  (w: Writing): Share =>
  (type, x) => {
    if (x.tag === 'get' || x.tag === 'const') return [x, x]
    const variable = fresh(w, type, 'v')
    return [wasm.tee(variable, x), variable]
  }

export const isZero = (instr: Instr): boolean => instr.tag === 'const' && instr.type === 'i32' && instr.bits === 0
