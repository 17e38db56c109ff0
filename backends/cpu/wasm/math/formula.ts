import { type Expr, f32, f32x4, f64, f64x2, local } from '../asm.js'
import { lowerHalves, upperHalf } from '../halves.js'
import type { Instr, ValType, Variable, WasmFunction } from '../encode/module.js'
import { type Algebra, type Bits, type Float, type FloatType, lanes, type Mask, one } from './algebra.js'

/** An algebra that can also compute a value once, for what is used more than once. */
export interface Writer<T extends FloatType> extends Algebra<T> {
  readonly float: (x: Float<T>) => Float<T>
  readonly word: (x: Bits<T>) => Bits<T>
  /** One of two values; of one number, only that one is computed. */
  readonly choose: (p: Mask, then: () => Float<T>, otherwise: () => Float<T>) => Float<T>
}

/** A function of floats. */
export type Formula<T extends FloatType> = (w: Writer<T>, ...operands: readonly Float<T>[]) => Float<T>

/** A function of float32 numbers, and the same of the four lanes of vectors. */
export interface MathFunction {
  readonly one: WasmFunction
  readonly four: WasmFunction
  /** Of straight code: the value for four lanes, in place of a call, which would make its constants each time. */
  readonly inPlace?: (x: Vector, named: Naming) => Vector
}

type Vector = Expr<'v128'>

/** Computes a value once. */
export type Naming = <E extends Instr>(x: E) => E

/** What a function makes of its operands, in the order of its parameters. */
export const applied = <T extends ValType>({ name }: WasmFunction, ...operands: readonly Instr[]): Expr<T> =>
  ({ tag: 'call', fn: name, args: operands }) satisfies Instr as Instr as Expr<T>

/** The name of the function of four lanes. */
export const fourOf = (name: string): string => `${name}.x4`

interface Writing {
  readonly locals: Variable[]
  body: Instr[]
}

const nothing = (): Writing => ({ locals: [], body: [] })

const naming =
  (w: Writing, type: ValType): Naming =>
  <E extends Instr>(x: E): E => {
    if (x.tag === 'get' || x.tag === 'const') return x
    const name = `v${String(w.locals.length)}`
    w.locals.push({ name, type })
    w.body.push({ tag: 'set', name, value: x })
    return { tag: 'get', name, type } satisfies Instr as Instr as E
  }

const branch = <T extends ValType>(w: Writing, value: () => Expr<T>): readonly [...Instr[], Expr<T>] => {
  const outer = w.body
  w.body = []
  const last = value()
  const body = [...w.body, last] as const
  w.body = outer
  return body
}

const words = { f32: 'i32', f64: 'i64' } as const

const writerOfOne = <T extends FloatType>(type: T, w: Writing): Writer<T> => ({
  ...one[type],
  float: naming(w, type),
  word: naming(w, words[type]),
  choose: (condition, then, otherwise) =>
    ({ tag: 'if', condition, result: type, then: branch(w, then), else: branch(w, otherwise) }) satisfies Instr as Instr as Float<T>,
})

const writerOfLanes = <T extends FloatType>(type: T, named: Naming): Writer<T> => ({
  ...lanes[type],
  float: named,
  word: named,
  choose: (p, then, otherwise) => lanes[type].select(p, then(), otherwise()),
})

/** What a function of so many operands takes. */
export const operandsOf = (arity: number, type: ValType): readonly Variable[] => ['x', 'y'].slice(0, arity).map((name) => ({ name, type }))

const functionOf = (name: string, arity: number, type: ValType, { locals, body }: Writing, value: Instr): WasmFunction => ({
  name,
  params: operandsOf(arity, type),
  results: [type],
  locals,
  body: [...body, value],
  exported: false,
})

/** A vector, as what a formula takes for a number. */
const asFloat = <T extends FloatType>(vector: Vector): Float<T> => vector as Instr as Float<T>

/** Both readings of a formula. No product is added with one rounding, so that the bits are the same on every machine. */
export const inFloat32 = (name: string, formula: Formula<'f32'>): MathFunction => {
  const [number, vector] = [nothing(), nothing()]
  const inPlace = (x: Vector, named: Naming): Vector => formula(writerOfLanes('f32', named), asFloat(x)) as Instr as Vector
  return {
    one: functionOf(name, 1, 'f32', number, formula(writerOfOne('f32', number), local('f32', 'x'))),
    four: functionOf(fourOf(name), 1, 'v128', vector, inPlace(local('v128', 'x'), naming(vector, 'v128'))),
    inPlace,
  }
}

const promotedOne = (name: string, arity: number, formula: Formula<'f64'>): WasmFunction => {
  const w = nothing()
  const writer = writerOfOne('f64', w)
  const operands = operandsOf(arity, 'f32').map((p) => writer.float(f64.promote_f32(local('f32', p.name))))
  return functionOf(name, arity, 'f32', w, f32.demote_f64(formula(writer, ...operands)))
}

/** Two lanes at a time, since a vector has room for two float64. */
const promotedFour = (name: string, arity: number, formula: Formula<'f64'>): WasmFunction => {
  const w = nothing()
  const writer = writerOfLanes('f64', naming(w, 'v128'))
  const half = (part: (x: Vector) => Vector): Vector => {
    const operands = operandsOf(arity, 'v128').map((p) => writer.float(asFloat(f64x2.promote_low_f32x4(part(local('v128', p.name))))))
    return f32x4.demote_f64x2_zero(writer.float(formula(writer, ...operands)) as Instr as Vector)
  }
  const [first, second] = [half((x) => x), half(upperHalf)]
  return functionOf(fourOf(name), arity, 'v128', w, lowerHalves(first, second))
}

/** Both readings of a formula: promoted to float64, computed there and rounded once. */
export const inFloat64 = (name: string, arity: 1 | 2, formula: Formula<'f64'>): MathFunction => ({
  one: promotedOne(name, arity, formula),
  four: promotedFour(name, arity, formula),
})
