import type { Expr, Kernel, Statement } from '../../../../compiler/index.js'
import type { DType } from '../../../../dsl/index.js'
import * as wasm from '../asm.js'
import type { Instr, WasmFunction } from '../encode.js'
import { withoutDead } from './dead.js'
import { nest } from './nest.js'
import { accessKey, pointersOf } from './pointers.js'
import { type Share, spellings } from './scalar.js'

const { f32, i32 } = wasm

type Scalar = 'i32' | 'f32'
type I32 = wasm.Expr<'i32'>

/** How an element is held: an unsigned number and a bool as an i32 of the same bits. */
const valType: { readonly [D in DType]: Scalar } = { f32: 'f32', i32: 'i32', u32: 'i32', bool: 'i32' }

const parameterBlock = wasm.local('i32', 'parameters')
const parameterName = (slot: number): string => `p${String(slot)}`
const bufferAt = (buffer: number) => wasm.local('i32', `b${String(buffer)}`)

const load = (dtype: DType, address: I32, offset: number): Instr =>
  dtype === 'f32' ? f32.load(address, { offset }) : i32.load(address, { offset })

const store = (dtype: DType, address: I32, offset: number, value: Instr): Instr =>
  dtype === 'f32' ? f32.store(address, value as wasm.Expr<'f32'>, { offset }) : i32.store(address, value as I32, { offset })

interface Place {
  readonly address: I32
  readonly offset: number
}

/** Where a pointer makes an access, by its key. */
type Pointers = ReadonlyMap<string, Place>

/** What a function being written has named so far. */
interface Writing {
  readonly locals: Map<string, Scalar>
  readonly lets: Map<string, Expr>
}

const declared = <T extends Scalar>({ locals }: Writing, type: T, name: string): wasm.Local<T> => {
  locals.set(name, type)
  return wasm.local(type, name)
}

const fresh = <T extends Scalar>(w: Writing, type: T, kind: 'at' | 'step' | 'v'): wasm.Local<T> =>
  declared(w, type, `${kind}${String(w.locals.size)}`)

const sharing =
  (w: Writing): Share =>
  (type, x) => {
    if (x.tag === 'get' || x.tag === 'const') return [x, x]
    const variable = fresh(w, type, 'v')
    return [wasm.tee(variable, x), variable]
  }

const literal = (dtype: DType, value: number): Instr => (dtype === 'f32' ? f32.const(value) : i32.const(value))

const emitExpr = (w: Writing, e: Expr, pointers: Pointers): Instr => {
  switch (e.tag) {
    case 'literal':
      return literal(e.dtype, e.value)
    case 'parameter':
      return wasm.local(valType[e.dtype], parameterName(e.slot))
    case 'index':
    case 'variable':
      return wasm.local(valType[e.dtype], e.name)
    case 'read': {
      const { address, offset } = placeOf(w, e.buffer, e.at, pointers)
      return load(e.dtype, address, offset)
    }
    case 'op': {
      const of = e.operands[0]?.dtype ?? e.dtype
      const spelling = spellings[e.op][of]
      if (spelling === undefined) throw new Error(`no WebAssembly for ${e.op} of ${of}`)
      return spelling(
        e.operands.map((x) => emitExpr(w, x, pointers)),
        sharing(w),
      )
    }
  }
}

const emitI32 = (w: Writing, e: Expr, pointers: Pointers): I32 => emitExpr(w, e, pointers) as I32

/** base + 4·at; a place that is known is the offset of the access. */
const placeOf = (w: Writing, buffer: number, at: Expr, pointers: Pointers): Place => {
  const pointer = pointers.get(accessKey(buffer, at))
  if (pointer !== undefined) return pointer
  if (at.tag === 'literal') return { address: bufferAt(buffer), offset: 4 * at.value }
  return { address: i32.add(bufferAt(buffer), i32.shl(emitI32(w, at, pointers), 2)), offset: 0 }
}

const bytes = (w: Writing, elements: Expr): I32 =>
  elements.tag === 'literal' ? i32.const(4 * elements.value) : i32.shl(emitI32(w, elements, new Map()), 2)

const isZero = (instr: Instr): boolean => instr.tag === 'const' && instr.bits === 0

interface Bumped {
  readonly before: readonly Instr[]
  readonly after: readonly Instr[]
  readonly pointers: Pointers
}

/** The variables that a loop's accesses go through: set before it, and moved at the end of each turn. */
const bumped = (w: Writing, index: string, body: readonly Statement[], outer: Pointers): Bumped => {
  const before: Instr[] = []
  const after: Instr[] = []
  const pointers = new Map(outer)
  for (const { buffer, start, stride, offsets } of pointersOf(index, body, w.lets)) {
    const pointer = fresh(w, 'i32', 'at')
    const first = bytes(w, start)
    for (const [key, elements] of offsets) pointers.set(key, { address: pointer, offset: 4 * elements })
    before.push(wasm.set(pointer, isZero(first) ? bufferAt(buffer) : i32.add(bufferAt(buffer), first)))
    const step = bytes(w, stride)
    if (step.tag !== 'const') {
      const strideBytes = fresh(w, 'i32', 'step')
      before.push(wasm.set(strideBytes, step))
      after.push(wasm.set(pointer, i32.add(pointer, strideBytes)))
    } else if (!isZero(step)) after.push(wasm.set(pointer, i32.add(pointer, step)))
  }
  return { before, after, pointers }
}

/** One branch a turn, at the end; what may have no turns is asked once. */
const emitFor = (w: Writing, { loop, body }: Extract<Statement, { readonly tag: 'for' }>, outer: Pointers): readonly Instr[] => {
  const index = declared(w, 'i32', loop.index)
  const extent = emitI32(w, loop.extent, outer)
  const { before, after, pointers } = bumped(w, loop.index, body, outer)
  const turns = [
    wasm.set(index, 0),
    ...before,
    wasm.loop(loop.index, [
      ...emitAll(w, body, pointers),
      ...after,
      wasm.brIf(loop.index, i32.lt_s(wasm.tee(index, i32.add(index, 1)), extent)),
    ]),
  ]
  return loop.extent.tag === 'literal' && loop.extent.value > 0 ? turns : [wasm.when(i32.gt_s(extent, 0), turns)]
}

const assignment = (w: Writing, { name, value }: { readonly name: string; readonly value: Expr }, pointers: Pointers): Instr =>
  wasm.set(declared(w, valType[value.dtype], name), emitExpr(w, value, pointers) as never)

const emit = (w: Writing, s: Statement, pointers: Pointers): readonly Instr[] => {
  switch (s.tag) {
    case 'let':
      w.lets.set(s.name, s.value)
      return [assignment(w, s, pointers)]
    case 'var':
    case 'assign':
      return [assignment(w, s, pointers)]
    case 'for':
      return emitFor(w, s, pointers)
    case 'if':
      return [wasm.when(emitI32(w, s.condition, pointers), emitAll(w, s.body, pointers))]
    case 'store': {
      const { address, offset } = placeOf(w, s.buffer, s.at, pointers)
      return [store(s.value.dtype, address, offset, emitExpr(w, s.value, pointers))]
    }
  }
}

const emitAll = (w: Writing, statements: readonly Statement[], pointers: Pointers): readonly Instr[] =>
  statements.flatMap((s) => emit(w, s, pointers))

/** A kernel as a function of the address of its parameters and of each of its buffers. */
export const emitKernel = (kernel: Kernel, name: string): WasmFunction => {
  const w: Writing = { locals: new Map(), lets: new Map() }
  const parameters = kernel.parameters.map((dtype, slot) =>
    wasm.set(declared(w, dtype, parameterName(slot)), load(dtype, parameterBlock, 4 * slot) as never),
  )
  const body = emitAll(w, nest(kernel), new Map())
  return withoutDead({
    name,
    params: [parameterBlock, ...kernel.buffers.map((_, i) => bufferAt(i))].map(({ name, type }) => ({ name, type })),
    results: [],
    locals: [...w.locals].map(([name, type]) => ({ name, type })),
    body: [...parameters, ...body],
    exported: true,
  })
}
