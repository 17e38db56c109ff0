import type { Expr, Kernel, Statement } from '../../../../compiler/index.js'
import * as wasm from '../asm.js'
import type { Instr, WasmFunction } from '../encode.js'
import { withoutDead } from './dead.js'
import { emitExpr, emitI32, load, placeOf, store } from './expr.js'
import { emitFour, type FourScope, storeFour } from './four.js'
import { emitLoop } from './loops.js'
import { areAside, fourStores, storeTransposed } from './transposed.js'
import type { Units } from './units.js'
import type { Uses } from './merged.js'
import { createNumbers } from './numbers.js'
import { nest } from './nest.js'
import {
  bufferAt,
  declared,
  fourName,
  fresh,
  type I32,
  isVarying,
  parameterBlock,
  parameterName,
  type Scope,
  valType,
  type Vector,
  type Writing,
} from './writing.js'

const { f32x4, i32, v128 } = wasm

interface Named {
  readonly name: string
  readonly value: Expr
}

const setOne = (w: Writing, { name, value }: Named, scope: Scope): Instr =>
  wasm.set(declared(w, valType[value.dtype], name), emitExpr(w, value, scope) as never)

/** `name + x·y` rounded once, where the device may: in sums of products alone, which no other kernel computes again. */
const productAdded = (w: Writing, name: string, value: Expr, scope: FourScope): Vector | undefined => {
  const [sum, product] = value.tag === 'op' && value.op === 'add' && value.dtype === 'f32' ? value.operands : []
  if (!w.fused || sum?.tag !== 'variable' || sum.name !== name || product?.tag !== 'op' || product.op !== 'mul') return undefined
  const [x, y] = product.operands
  return x && y && f32x4.relaxed_madd(emitFour(w, x, scope), emitFour(w, y, scope), emitFour(w, sum, scope))
}

const setFour = (w: Writing, { name, value }: Named, scope: FourScope): Instr => {
  const { folds, turn, mask } = scope.four
  const variable = declared(w, 'v128', fourName(name, folds.has(name) ? turn : 0))
  const made = productAdded(w, name, value, scope) ?? emitFour(w, value, scope)
  return wasm.set(variable, mask === undefined ? made : v128.bitselect(made, variable, mask))
}

/**
 * In lanes: what varies, and also what is the same in all of them, if it is used with what varies. As a number: what does not vary, and
 * the first lane of an index that moves evenly, for the addresses that it is part of. What of these is not used is left out in the end.
 */
const emitLet = (w: Writing, s: Named, scope: Scope): readonly Instr[] => {
  w.lets.set(s.name, s.value)
  const { four } = scope
  if (four === undefined) return [setOne(w, s, scope)]
  four.named.add(s.name)
  if (isVarying(four, s.value)) four.varying.add(s.name)
  const isNumber = !four.varying.has(s.name) || (s.value.dtype === 'i32' && four.strides(s.value) !== undefined)
  return [...(isNumber ? [setOne(w, s, scope)] : []), setFour(w, s, scope as FourScope)]
}

const emitIf = (w: Writing, { condition, body }: Extract<Statement, { readonly tag: 'if' }>, scope: Scope): readonly Instr[] => {
  const { four } = scope
  if (four === undefined || !isVarying(four, condition)) return [wasm.when(emitI32(w, condition, scope), emitAll(w, body, scope))]
  const mask = fresh(w, 'v128', 'mask')
  const own: Vector = emitFour(w, condition, scope as FourScope)
  const both = four.mask === undefined ? own : v128.and(own, four.mask)
  return [wasm.set(mask, both), ...emitAll(w, body, { ...scope, four: { ...four, mask } })]
}

const emit = (w: Writing, s: Statement, scope: Scope): readonly Instr[] => {
  switch (s.tag) {
    case 'let':
      return emitLet(w, s, scope)
    case 'var':
      scope.four?.varying.add(s.name)
      scope.four?.named.add(s.name)
      return [scope.four === undefined ? setOne(w, s, scope) : setFour(w, s, scope as FourScope)]
    case 'assign':
      return [scope.four === undefined ? setOne(w, s, scope) : setFour(w, s, scope as FourScope)]
    case 'for':
      return emitLoop(w, s, scope, emitAll)
    case 'if':
      return emitIf(w, s, scope)
    case 'barrier':
    case 'join':
      throw new Error('a thread has no workgroup to wait for')
    case 'store':
      return scope.four === undefined
        ? [store(s.value.dtype, placeOf(w, s.buffer, s.at, scope), emitExpr(w, s.value, scope))]
        : storeFour(w, s.value.dtype, s.buffer, s.at, emitFour(w, s.value, scope as FourScope), scope as FourScope)
  }
}

const emitAll = (w: Writing, statements: readonly Statement[], scope: Scope): readonly Instr[] => {
  const instrs: Instr[] = []
  for (let i = 0; i < statements.length;) {
    const length = scope.four === undefined ? 0 : fourStores(w, statements.slice(i))
    instrs.push(...(length === 0 ? emit(w, statements[i]!, scope) : emitStores(w, statements.slice(i, i + length), scope as FourScope)))
    i += Math.max(1, length)
  }
  return instrs
}

/** Names first, since no store changes them; then the stores, at once where they lie side by side. */
const emitStores = (w: Writing, statements: readonly Statement[], scope: FourScope): readonly Instr[] => {
  const named = statements.flatMap((s) => (s.tag === 'let' ? emit(w, s, scope) : []))
  const stores = statements.flatMap((s) => (s.tag === 'store' ? [s] : []))
  return [...named, ...(areAside(w, stores, scope) ? storeTransposed(w, stores, scope) : stores.flatMap((s) => emit(w, s, scope)))]
}

export interface EmittedKernel {
  readonly fn: WasmFunction
  readonly units: Units
}

const [args, scratch, first, end] = ['args', 'scratch', 'first', 'end'].map((name) => wasm.local('i32', name)) as [I32, I32, I32, I32]

/**
 * A kernel as a function of the address of its arguments, that of scratch memory, and the units to do. Its arguments are the addresses of
 * its parameters and of each of its buffers.
 */
export const emitKernel = (kernel: Kernel, name: string, fused: boolean, uses: Uses): EmittedKernel => {
  const { body: statements, lanes, units } = nest(kernel, uses, fused)
  const w: Writing = {
    fused,
    lanes,
    scratch: kernel.buffers.length,
    locals: new Map(),
    lets: new Map(),
    splits: new Map(),
    numbers: createNumbers(),
  }
  const put = (variable: wasm.Local<'i32'>, value: I32): Instr => wasm.set(declared(w, 'i32', variable.name), value)
  const count = kernel.parameters.length
  const own = [
    put(parameterBlock, i32.load(args)),
    ...kernel.buffers.map((_, i) => put(bufferAt(i), i32.load(args, { offset: 4 * (i + 1) }))),
    put(bufferAt(kernel.buffers.length), scratch),
    ...kernel.parameters.map((dtype, slot) =>
      wasm.set(declared(w, dtype, parameterName(slot)), load(dtype, { address: parameterBlock, offset: 4 * slot }) as never),
    ),
    put(wasm.local('i32', parameterName(count)), first),
    put(wasm.local('i32', parameterName(count + 1)), end),
  ]
  const body = emitAll(w, statements, { pointers: new Map() })
  const fn = withoutDead({
    name,
    params: ['args', 'scratch', 'first', 'end'].map((param) => ({ name: param, type: 'i32' })),
    results: [],
    locals: [...w.locals].map(([local, type]) => ({ name: local, type })),
    body: [...own, ...body],
    exported: true,
  })
  return { fn, units }
}
