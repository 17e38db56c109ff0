import type { Instr, InstrOf, ValType, WasmFunction } from './encode/module.js'
import { memoryOps, numericOps, type MemoryOp, type NumericOp } from './encode/opcodes.js'
import { laneOps, type LaneOp } from './encode/vector-opcodes.js'

/**
 * Typed combinators that make instructions: `f64.mul(x, 2)`, `set(k, f64.nearest(x))`. What they make is plain data; the
 * types say what an expression leaves, so that `f64.add(k, f32.load(p))` does not compile.
 */

declare const leaves: unique symbol
declare const takes: unique symbol

/** An instruction that leaves one value of type T. */
export type Expr<T extends ValType> = Instr & { readonly [leaves]: T }
/** A parameter or another variable, as the expression that reads it. */
export type Local<T extends ValType> = InstrOf<'get'> & { readonly [leaves]: T }
/** A number stands for its constant. */
export type Operand<T extends ValType> = Expr<T> | Num<T>
type Num<T extends ValType> = { i32: number; i64: bigint; f32: number; f64: number; v128: never }[T]
type Scalar = Exclude<ValType, 'v128'>
type Result<T extends ValType | null> = T extends ValType ? Expr<T> : Instr

const leaving = <T extends ValType>(instr: Instr): Expr<T> => instr as Expr<T>

// Constants

const view = new DataView(new ArrayBuffer(8))

const f32Bits = (value: number): number => {
  view.setFloat32(0, value)
  return view.getUint32(0)
}

const f64Bits = (value: number): bigint => {
  view.setFloat64(0, value)
  return view.getBigUint64(0)
}

const constants: { readonly [T in ValType]: (value: Num<T>) => Expr<T> } = {
  i32: (value) => leaving({ tag: 'const', type: 'i32', bits: value | 0 }),
  i64: (value) => leaving({ tag: 'const', type: 'i64', bits: BigInt.asIntN(64, value) }),
  f32: (value) => leaving({ tag: 'const', type: 'f32', bits: f32Bits(value) }),
  f64: (value) => leaving({ tag: 'const', type: 'f64', bits: f64Bits(value) }),
  v128: (value) => value, // no number alone stands for a vector: those of a family of lanes do
}

const repeated = (bits: number | bigint, width: 32 | 64): Expr<'v128'> => {
  const lane = BigInt.asUintN(width, BigInt(bits))
  const half = width === 64 ? lane : (lane << 32n) | lane
  return leaving({ tag: 'const', type: 'v128', bits: (half << 64n) | half })
}

/** A vector of equal lanes. */
const filled: { readonly [T in Scalar]: (value: Num<T>) => Expr<'v128'> } = {
  i32: (value) => repeated(value | 0, 32),
  i64: (value) => repeated(value, 64),
  f32: (value) => repeated(f32Bits(value), 32),
  f64: (value) => repeated(f64Bits(value), 64),
}

/** Four i32, lane 0 first. */
export const fourLanes = (lanes: readonly number[]): Expr<'v128'> =>
  leaving({ tag: 'const', type: 'v128', bits: lanes.reduceRight((bits, lane) => (bits << 32n) | BigInt.asUintN(32, BigInt(lane)), 0n) })

const lift = <T extends ValType>(type: T, operand: Operand<T>): Expr<T> =>
  typeof operand === 'object' ? operand : constants[type](operand)

// The instructions of the tables, by family

type Suffix<Name extends string, Family extends string> = Name extends `${Family}.${infer Rest}` ? Rest : never
/** In a family of lanes a number of its type stands for a vector of equal lanes. */
type OperandIn<T extends ValType, N> = T extends 'v128' ? Expr<'v128'> | N : Operand<T>
type Operands<Types extends readonly ValType[], N> = { [I in keyof Types]: OperandIn<Types[I], N> }

type Numeric<Family extends string, N = never> = {
  readonly [O in NumericOp as Suffix<O, Family>]: (...args: Operands<(typeof numericOps)[O][1], N>) => Result<(typeof numericOps)[O][2]>
}
type Memory<Family extends string> = {
  readonly [O in MemoryOp as Suffix<O, Family>]: (
    ...args: [...Operands<(typeof memoryOps)[O][1], never>, access?: Access]
  ) => Result<(typeof memoryOps)[O][2]>
}
/** The lane first, or all of a shuffle's. */
type Lanes<Family extends string> = {
  readonly [O in LaneOp as Suffix<O, Family>]: (
    lanes: number | readonly number[],
    ...args: Operands<(typeof laneOps)[O][1], never>
  ) => Result<(typeof laneOps)[O][2]>
}

/** How far from its address an access begins, and the alignment it promises, both in bytes. The alignment of its size is the default. */
export interface Access {
  readonly offset?: number
  readonly align?: number
}

type Make = (...args: readonly unknown[]) => Instr
/** What an operand that is a number stands for, by the type of the operand. */
type Lift = (type: ValType, operand: unknown) => Instr

const makers = <O extends string>(
  family: string,
  table: Readonly<Record<O, unknown>>,
  make: (op: O) => Make,
): Readonly<Record<string, Make>> =>
  Object.fromEntries(
    (Object.keys(table) as O[]).filter((op) => op.startsWith(`${family}.`)).map((op) => [op.slice(family.length + 1), make(op)]),
  )

const makeNumeric =
  (lifted: Lift) =>
  (op: NumericOp): Make =>
  (...args) => ({ tag: 'numeric', op, args: numericOps[op][1].map((type, i) => lifted(type, args[i])) })

const makeLane =
  (op: LaneOp): Make =>
  (lanes, ...args) => ({
    tag: 'lane',
    op,
    lanes: [lanes].flat() as number[],
    args: laneOps[op][1].map((type, i) => anyLift(type, args[i])),
  })

const makeMemory = (op: MemoryOp): Make => {
  const [, types, , bytes] = memoryOps[op]
  return (...args) => {
    const { offset = 0, align = bytes } = (args[types.length] ?? {}) as Access
    return { tag: 'memory', op, offset, align, args: types.map((type, i) => anyLift(type, args[i])) }
  }
}

const anyLift: Lift = (type, operand) => lift(type, operand as Operand<ValType>)

/** What every type has beside its instructions. */
const values = <T extends ValType>(type: T) => ({
  const: constants[type],
  /** Both sides are computed. */
  select: (condition: Operand<'i32'>, then: Operand<T>, otherwise: Operand<T>): Expr<T> =>
    leaving({ tag: 'select', then: lift(type, then), else: lift(type, otherwise), condition: lift('i32', condition) }),
  /** One side is computed. */
  if: (condition: Operand<'i32'>, then: Leaving<T>, otherwise: Leaving<T>): Expr<T> =>
    leaving({ tag: 'if', condition: lift('i32', condition), result: type, then, else: otherwise }),
  block: (label: string, body: Leaving<T>): Expr<T> => leaving({ tag: 'block', label, result: type, body }),
})

const family = <T extends ValType>(type: T) => ({
  ...(makers(type, numericOps, makeNumeric(anyLift)) as unknown as Numeric<T>),
  ...(makers(type, memoryOps, makeMemory) as unknown as Memory<T>),
  ...values(type),
})

const lanes = <T extends Scalar, const F extends string>(type: T, shape: F) => {
  const lifted: Lift = (of, operand) =>
    of !== 'v128' || typeof operand === 'object' ? anyLift(of, operand) : filled[type](operand as never)
  return {
    ...(makers(shape, numericOps, makeNumeric(lifted)) as unknown as Numeric<F, Num<T>>),
    ...(makers(shape, laneOps, makeLane) as unknown as Lanes<F>),
    const: (value: Num<T>): Expr<'v128'> => filled[type](value),
  }
}

export const i32 = family('i32')
export const i64 = family('i64')
export const f32 = family('f32')
export const f64 = family('f64')
export const v128 = family('v128')
/** What threads wait with. */
export const memory = makers('memory', memoryOps, makeMemory) as unknown as Memory<'memory'>
export const i32x4 = lanes('i32', 'i32x4')
export const i64x2 = lanes('i64', 'i64x2')
export const f32x4 = lanes('f32', 'f32x4')
export const f64x2 = lanes('f64', 'f64x2')
export const { shuffle } = makers('i8x16', laneOps, makeLane) as unknown as Lanes<'i8x16'>

// Variables and control

/** Instructions of which the last leaves a T. */
export type Leaving<T extends ValType> = readonly [...Instr[], Expr<T>]

/** The variable of this name, for a body whose variables are known only when it is made. */
export const local = <T extends ValType>(type: T, name: string): Local<T> => ({ tag: 'get', name, type }) as Local<T>

export const set = <T extends ValType>({ name, type }: Local<T>, value: Operand<NoInfer<T>>): Instr => ({
  tag: 'set',
  name,
  value: lift(type as T, value),
})
export const tee = <T extends ValType>({ name, type }: Local<T>, value: Operand<NoInfer<T>>): Expr<T> =>
  leaving({ tag: 'tee', name, value: lift(type as T, value) })

export const block = (label: string, body: readonly Instr[]): Instr => ({ tag: 'block', label, result: null, body })
/** Falls out of its end; `br(label)` goes back to its beginning. */
export const loop = (label: string, body: readonly Instr[]): Instr => ({ tag: 'loop', label, body })
export const when = (condition: Operand<'i32'>, then: readonly Instr[], otherwise: readonly Instr[] = []): Instr => ({
  tag: 'if',
  condition: lift('i32', condition),
  result: null,
  then,
  else: otherwise,
})
export const br = (label: string): Instr => ({ tag: 'br', label })
export const brIf = (label: string, condition: Operand<'i32'>): Instr => ({ tag: 'br_if', label, condition: lift('i32', condition) })
export const drop = (value: Instr): Instr => ({ tag: 'drop', value })

// Functions

type Types = Readonly<Record<string, ValType>>
type Locals<T extends Types> = { readonly [K in keyof T & string]: Local<T[K]> }

/** A function that knows the types of its parameters and of its result; null where it leaves none. */
export type Fn<P extends Types, R extends ValType | null> = WasmFunction & { readonly [takes]: (params: P) => R }

type Body<R extends ValType | null> = R extends ValType ? Leaving<R> : readonly Instr[]

/**
 * `fn('square', { x: 'f64' }, 'f64', {}, ({ x }) => [f64.mul(x, x)])`: name, parameters, result, other variables, body.
 * The parameters stand in the order of the record.
 */
export const fn = <const P extends Types, const R extends ValType | null, const L extends Types>(
  name: string,
  params: P,
  result: R,
  locals: L,
  body: (variables: Locals<P> & Locals<L>) => Body<NoInfer<R>>,
): Fn<P, R> =>
  ({
    name,
    params: variables(params),
    results: result === null ? [] : [result],
    locals: variables(locals),
    body: body({ ...reads(params), ...reads(locals) }),
    exported: false,
  }) satisfies WasmFunction as unknown as Fn<P, R>

const variables = (types: Types) => Object.entries(types).map(([name, type]) => ({ name, type }))

const reads = <T extends Types>(types: T): Locals<T> =>
  Object.fromEntries(Object.entries(types).map(([name, type]) => [name, local(type, name)])) as unknown as Locals<T>

/** Arguments by the names of the parameters. */
export const call = <P extends Types, R extends ValType | null>(
  { name, params }: Fn<P, R>,
  args: NoInfer<{ readonly [K in keyof P]: Operand<P[K]> }>,
): Result<R> => {
  const operands = params.map((param) => lift(param.type, args[param.name] as Operand<ValType>))
  return { tag: 'call', fn: name, args: operands } satisfies Instr as Instr as Result<R>
}

export const exported = (fn: WasmFunction): WasmFunction => ({ ...fn, exported: true })
