import type { Instr, InstrOf, ValType, WasmFunction } from './encode/module.js'
import { memoryOps, numericOps, type MemoryOp, type NumericOp } from './encode/opcodes.js'

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
  v128: (value) => value, // no number stands for a vector: splat one
}

const lift = <T extends ValType>(type: T, operand: Operand<T>): Expr<T> =>
  typeof operand === 'object' ? operand : constants[type](operand)

const liftAll = (types: readonly ValType[], operands: readonly unknown[]): readonly Instr[] =>
  types.map((type, i) => lift(type, operands[i] as Operand<ValType>))

// The instructions of the two tables, by family

type Operands<Types extends readonly ValType[]> = { [I in keyof Types]: Operand<Types[I]> }
type Suffix<Name extends string, Family extends string> = Name extends `${Family}.${infer Rest}` ? Rest : never

type Numeric<Family extends string> = {
  readonly [O in NumericOp as Suffix<O, Family>]: (...args: Operands<(typeof numericOps)[O][1]>) => Result<(typeof numericOps)[O][2]>
}
type Memory<Family extends string> = {
  readonly [O in MemoryOp as Suffix<O, Family>]: (
    ...args: [...Operands<(typeof memoryOps)[O][1]>, access?: Access]
  ) => Result<(typeof memoryOps)[O][2]>
}

/** How far from its address an access begins, and the alignment it promises, both in bytes. The alignment of its size is the default. */
export interface Access {
  readonly offset?: number
  readonly align?: number
}

type Make = (...args: readonly unknown[]) => Instr

const makers = <O extends string>(
  family: string,
  table: Readonly<Record<O, unknown>>,
  make: (op: O) => Make,
): Readonly<Record<string, Make>> =>
  Object.fromEntries(
    (Object.keys(table) as O[]).filter((op) => op.startsWith(`${family}.`)).map((op) => [op.slice(family.length + 1), make(op)]),
  )

const makeNumeric =
  (op: NumericOp): Make =>
  (...args) => ({ tag: 'numeric', op, args: liftAll(numericOps[op][1], args) })

const makeMemory = (op: MemoryOp): Make => {
  const [, types, , bytes] = memoryOps[op]
  return (...args) => {
    const { offset = 0, align = bytes } = (args[types.length] ?? {}) as Access
    return { tag: 'memory', op, offset, align, args: liftAll(types, args) }
  }
}

const family = <T extends ValType>(type: T) => ({
  ...(makers(type, numericOps, makeNumeric) as unknown as Numeric<T>),
  ...(makers(type, memoryOps, makeMemory) as unknown as Memory<T>),
  const: constants[type],
  /** Both sides are computed. */
  select: (condition: Operand<'i32'>, then: Operand<T>, otherwise: Operand<T>): Expr<T> =>
    leaving({ tag: 'select', then: lift(type, then), else: lift(type, otherwise), condition: lift('i32', condition) }),
  /** One side is computed. */
  if: (condition: Operand<'i32'>, then: Leaving<T>, otherwise: Leaving<T>): Expr<T> =>
    leaving({ tag: 'if', condition: lift('i32', condition), result: type, then, else: otherwise }),
  block: (label: string, body: Leaving<T>): Expr<T> => leaving({ tag: 'block', label, result: type, body }),
})

export const i32 = family('i32')
export const i64 = family('i64')
export const f32 = family('f32')
export const f64 = family('f64')

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
