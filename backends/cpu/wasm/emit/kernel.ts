import type { Expr, Kernel, Statement } from '../../../../compiler/index.js'
import * as wasm from '../asm.js'
import type { Instr, WasmFunction } from '../encode.js'
import { lanesOf } from './choose.js'
import { withoutDead } from './dead.js'
import { emitExpr, emitI32, load, placeOf, store } from './expr.js'
import { emitFour, type FourScope, storeFour } from './four.js'
import { emitLoop } from './loops.js'
import { inFull, nest } from './nest.js'
import {
  bufferAt,
  declared,
  fourName,
  fresh,
  isVarying,
  parameterBlock,
  parameterName,
  type Scope,
  valType,
  type Vector,
  type Writing,
} from './writing.js'

const { v128 } = wasm

interface Named {
  readonly name: string
  readonly value: Expr
}

const setOne = (w: Writing, { name, value }: Named, scope: Scope): Instr =>
  wasm.set(declared(w, valType[value.dtype], name), emitExpr(w, value, scope) as never)

const setFour = (w: Writing, { name, value }: Named, scope: FourScope): Instr => {
  const { folds, turn, mask } = scope.four
  const variable = declared(w, 'v128', fourName(name, folds.has(name) ? turn : 0))
  const made = emitFour(w, value, scope)
  return wasm.set(variable, mask === undefined ? made : v128.bitselect(made, variable, mask))
}

/** What varies is held in lanes; of an index that moves evenly the first lane is a number too, for the addresses that it is part of. */
const emitLet = (w: Writing, s: Named, scope: Scope): readonly Instr[] => {
  w.lets.set(s.name, s.value)
  if (scope.four === undefined || !isVarying(scope.four, s.value)) return [setOne(w, s, scope)]
  scope.four.varying.add(s.name)
  const movesEvenly = s.value.dtype === 'i32' && scope.four.strides(s.value) !== undefined
  return [...(movesEvenly ? [setOne(w, s, scope)] : []), setFour(w, s, scope as FourScope)]
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
      return [scope.four === undefined ? setOne(w, s, scope) : setFour(w, s, scope as FourScope)]
    case 'assign':
      return [scope.four === undefined ? setOne(w, s, scope) : setFour(w, s, scope as FourScope)]
    case 'for':
      return emitLoop(w, s, scope, emitAll)
    case 'if':
      return emitIf(w, s, scope)
    case 'store':
      return scope.four === undefined
        ? [store(s.value.dtype, placeOf(w, s.buffer, s.at, scope), emitExpr(w, s.value, scope))]
        : storeFour(w, s.value.dtype, s.buffer, s.at, emitFour(w, s.value, scope as FourScope), scope as FourScope)
  }
}

const emitAll = (w: Writing, statements: readonly Statement[], scope: Scope): readonly Instr[] =>
  statements.flatMap((s) => emit(w, s, scope))

/** A kernel as a function of the address of its parameters and of each of its buffers. */
export const emitKernel = (kernel: Kernel, name: string): WasmFunction => {
  const full = inFull(kernel)
  const lanes = lanesOf(kernel, full)
  const w: Writing = { lanes, locals: new Map(), lets: new Map() }
  const parameters = kernel.parameters.map((dtype, slot) =>
    wasm.set(declared(w, dtype, parameterName(slot)), load(dtype, { address: parameterBlock, offset: 4 * slot }) as never),
  )
  const body = emitAll(w, nest(kernel, lanes.space, full), { pointers: new Map() })
  return withoutDead({
    name,
    params: [parameterBlock, ...kernel.buffers.map((_, i) => bufferAt(i))].map(({ name, type }) => ({ name, type })),
    results: [],
    locals: [...w.locals].map(([name, type]) => ({ name, type })),
    body: [...parameters, ...body],
    exported: true,
  })
}
