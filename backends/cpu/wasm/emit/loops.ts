import { type Expr, type FoldOp, type Folds, type For, type Statement, withInner } from '../../../../compiler/index.js'
import type { DType } from '../../../../dsl/index.js'
import * as wasm from '../asm.js'
import type { Instr } from '../encode.js'
import { width } from './choose.js'
import { bytes, emitI32 } from './expr.js'
import { pointersOf } from './pointers.js'
import { spellings } from './scalar.js'
import {
  bufferAt,
  declared,
  fourAlong,
  fourName,
  fresh,
  type I32,
  isZero,
  type Pointers,
  type Scope,
  sharing,
  valType,
  type Vector,
  type Writing,
} from './writing.js'

const { f32x4, i32, i32x4 } = wasm

export type EmitAll = (w: Writing, statements: readonly Statement[], scope: Scope) => readonly Instr[]

interface Bumped {
  readonly before: readonly Instr[]
  /** What so many turns move. */
  readonly after: (turns: number) => readonly Instr[]
  readonly pointers: Pointers
}

/** The variables that a loop's accesses go through: set before it, and moved at the end of each turn. */
const bumped = (w: Writing, index: string, body: readonly Statement[], scope: Scope): Bumped => {
  const before: Instr[] = []
  const moves: ((turns: number) => Instr)[] = []
  const pointers = new Map(scope.pointers)
  for (const { buffer, start, stride, offsets } of pointersOf(index, body, w)) {
    const pointer = fresh(w, 'i32', 'at')
    const first = bytes(w, start, scope)
    for (const [key, elements] of offsets) pointers.set(key, { address: pointer, offset: 4 * elements })
    before.push(wasm.set(pointer, isZero(first) ? bufferAt(buffer) : i32.add(bufferAt(buffer), first)))
    const step = bytes(w, stride, scope)
    if (isZero(step)) continue
    if (step.tag === 'const') moves.push((turns) => wasm.set(pointer, i32.add(pointer, turns * Number(step.bits))))
    else {
      const strideBytes = fresh(w, 'i32', 'step')
      before.push(wasm.set(strideBytes, step))
      moves.push((turns) => wasm.set(pointer, i32.add(pointer, turns === 1 ? strideBytes : i32.mul(strideBytes, turns))))
    }
  }
  return { before, after: (turns) => moves.map((move) => move(turns)), pointers }
}

/** How many turns a loop has, computed once. */
const turnsOf = (w: Writing, extent: Expr, scope: Scope): { readonly before: readonly Instr[]; readonly size: I32 } => {
  const size = emitI32(w, extent, scope)
  if (size.tag === 'get' || size.tag === 'const') return { before: [], size }
  const turns = fresh(w, 'i32', 'turns')
  return { before: [wasm.set(turns, size)], size: turns }
}

/** One branch a turn, at the end; what may have no turns is asked once. */
const turnByTurn = (w: Writing, { loop, body }: For, scope: Scope, emitAll: EmitAll): readonly Instr[] => {
  const index = declared(w, 'i32', loop.index)
  const { before: first, size } = turnsOf(w, loop.extent, scope)
  const { before, after, pointers } = bumped(w, loop.index, body, scope)
  const turns = [
    wasm.set(index, 0),
    ...before,
    wasm.loop(loop.index, [
      ...emitAll(w, body, { ...scope, pointers }),
      ...after(1),
      wasm.brIf(loop.index, i32.lt_s(wasm.tee(index, i32.add(index, 1)), size)),
    ]),
  ]
  return loop.extent.tag === 'literal' && loop.extent.value > 0 ? turns : [...first, wasm.when(i32.gt_s(size, 0), turns)]
}

/** A fold of simple terms goes through so many vectors, so that sums do not wait for each other. */
const vectors = 4

const isSimple = (body: readonly Statement[]): boolean => body.every((s) => s.tag === 'let' || s.tag === 'assign')

/** Into how many vectors a loop folds. */
const vectorsOf = ({ body }: For, folds: Folds): number => (folds.size > 0 && isSimple(body) ? vectors : 1)

/** As often as there are so many turns left. */
const whileLeft = (
  label: string,
  index: wasm.Local<'i32'>,
  turns: number,
  extent: Expr,
  size: I32,
  body: readonly Instr[],
): readonly Instr[] => {
  const left = (from: I32): I32 => i32.le_s(i32.add(from, turns), size)
  if (extent.tag !== 'literal') return [wasm.when(left(index), [wasm.loop(label, [...body, wasm.brIf(label, left(index))])])]
  return [wasm.loop(label, [...body, wasm.brIf(label, left(index))])]
}

/**
 * Four turns at once as long as there are four, then one at a time. What the loop folds into a variable, lane l of vector v takes from
 * the turns that are v·4 + l beyond a multiple of 16, and the last ones, fewer than four, go to the variable itself. So the order of a
 * sum depends on the size alone.
 */
const fourByFour = (w: Writing, s: For, folds: Folds, scope: Scope, emitAll: EmitAll): readonly Instr[] => {
  const { loop, body } = s
  const index = declared(w, 'i32', loop.index)
  const { before: first, size } = turnsOf(w, loop.extent, scope)
  const { before, after, pointers } = bumped(w, loop.index, body, scope)
  const next = (turns: number): readonly Instr[] => [...after(turns), wasm.set(index, i32.add(index, turns))]
  const four = (turn: number): readonly Instr[] => [
    ...emitAll(w, body, { ...scope, pointers, four: fourAlong(w, loop.index, folds, turn) }),
    ...next(width),
  ]
  const one = (): readonly Instr[] => [...emitAll(w, body, { ...scope, pointers }), ...next(1)]
  const many = vectorsOf(s, folds)
  const known = loop.extent.tag === 'literal' ? loop.extent.value : undefined
  const part = (kind: string, turns: number, left: number | undefined, body: () => readonly Instr[]): readonly Instr[] =>
    left !== undefined && left < turns
      ? []
      : left !== undefined && left < 2 * turns
        ? body()
        : whileLeft(`${loop.index}${kind}`, index, turns, loop.extent, size, body())
  const rest = known === undefined ? undefined : many === 1 ? known : known % (width * many)
  return [
    ...first,
    wasm.set(index, 0),
    ...before,
    ...(many === 1 ? [] : part('.many', width * many, known, () => Array.from({ length: many }, (_, turn) => four(turn)).flat())),
    ...part('.four', width, rest, () => four(0)),
    ...part('', 1, known === undefined ? undefined : known % width, one),
  ]
}

/** What a fold begins with in each lane. */
const neutral: { readonly [O in FoldOp]: { readonly [D in DType]: Vector } } = {
  add: { f32: f32x4.const(0), i32: i32x4.const(0), u32: i32x4.const(0), bool: i32x4.const(0) },
  max: { f32: f32x4.const(-Infinity), i32: i32x4.const(-(2 ** 31)), u32: i32x4.const(0), bool: i32x4.const(0) },
  min: { f32: f32x4.const(Infinity), i32: i32x4.const(2 ** 31 - 1), u32: i32x4.const(-1), bool: i32x4.const(-1) },
}

/** A variable that loops within a loop fold in lanes. */
interface Fold {
  readonly name: string
  readonly op: FoldOp
  readonly dtype: DType
  readonly vectors: number
}

const foldsWithin = (w: Writing, region: For, folds: Folds): readonly Fold[] => {
  const inner = withInner(region)
  return [...folds].flatMap(([name, op]) => {
    const loop = inner.find((s): s is For => s.tag === 'for' && w.lanes.loops.get(s.loop.index)?.has(name) === true)
    const assigned = inner.find((s) => s.tag === 'assign' && s.name === name)
    return loop === undefined || assigned?.tag !== 'assign'
      ? []
      : [{ name, op, dtype: assigned.value.dtype, vectors: vectorsOf(loop, w.lanes.loops.get(loop.loop.index) ?? new Map()) }]
  })
}

/** Neighbours in pairs, and so on. */
const inPairs = <T>(items: readonly T[], join: (x: T, y: T) => T): T => {
  const [first, second, ...rest] = items
  if (first === undefined) throw new Error('nothing to join')
  if (second === undefined) return first
  const pairs = Array.from({ length: Math.ceil(items.length / 2) }, (_, i) => {
    const [x, y] = [items[2 * i]!, items[2 * i + 1]]
    return y === undefined ? x : join(x, y)
  })
  return rest.length === 0 ? pairs[0]! : inPairs(pairs, join)
}

const emptyLanes = (w: Writing, folds: readonly Fold[]): readonly Instr[] =>
  folds.flatMap(({ name, op, dtype, vectors }) =>
    Array.from({ length: vectors }, (_, turn) => wasm.set(declared(w, 'v128', fourName(name, turn)), neutral[op][dtype])),
  )

/** The vectors are folded in pairs, then the lanes of the one that is left, then the variable takes it in. */
const joinedLanes = (w: Writing, folds: readonly Fold[]): readonly Instr[] =>
  folds.flatMap(({ name, op, dtype, vectors }) => {
    const spelling = spellings[op][dtype]!
    const all = Array.from({ length: vectors }, (_, turn): Instr => wasm.local('v128', fourName(name, turn)))
    const vector = wasm.local('v128', fourName(name))
    const numbers = [0, 1, 2, 3].map((at): Instr => (dtype === 'f32' ? f32x4.extract_lane(at, vector) : i32x4.extract_lane(at, vector)))
    const join = (x: Instr, y: Instr): Instr => spelling.one([x, y], sharing(w))
    const variable = wasm.local(valType[dtype], name)
    return [
      ...(vectors === 1 ? [] : [wasm.set(vector, inPairs(all, (x, y) => spelling.four([x, y], sharing(w))) as Vector)]),
      wasm.set(variable, join(variable, inPairs(numbers, join)) as never),
    ]
  })

/** A loop, in lanes where it was chosen to be. */
export const emitLoop = (w: Writing, s: For, scope: Scope, emitAll: EmitAll): readonly Instr[] => {
  const { index } = s.loop
  const folds = foldsWithin(w, s, (scope.four === undefined ? w.lanes.regions.get(index) : undefined) ?? new Map())
  const own = scope.four === undefined ? w.lanes.loops.get(index) : undefined
  const turns = own === undefined ? turnByTurn(w, s, scope, emitAll) : fourByFour(w, s, own, scope, emitAll)
  return [...emptyLanes(w, folds), ...turns, ...joinedLanes(w, folds)]
}
