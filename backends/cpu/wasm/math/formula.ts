import { type Expr, f32, f32x4, f64, f64x2, local } from '../asm.js'
import { lowerHalves, upperHalf } from '../halves.js'
import type { Instr, ValType, Variable, WasmFunction } from '../encode/module.js'
import { type Algebra, type Mask, one, two } from './algebra.js'

type Float = Expr<'f64'>

/** An algebra that can also compute a value once, for what is used more than once. */
export interface Writer extends Algebra {
  readonly float: (x: Float) => Float
  readonly word: (x: Expr<'i64'>) => Expr<'i64'>
  /** One of two values; of one number, only that one is computed. */
  readonly choose: (p: Mask, then: () => Float, otherwise: () => Float) => Float
}

/** A function of float64. */
export type Formula = (w: Writer, ...operands: readonly Float[]) => Float

/** A function of float32 numbers, and the same of the four lanes of vectors. */
export interface MathFunction {
  readonly one: WasmFunction
  readonly four: WasmFunction
}

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
  (w: Writing, type: ValType) =>
  <E extends Instr>(x: E): E => {
    if (x.tag === 'get' || x.tag === 'const') return x
    const name = `v${String(w.locals.length)}`
    w.locals.push({ name, type })
    w.body.push({ tag: 'set', name, value: x })
    return { tag: 'get', name, type } satisfies Instr as Instr as E
  }

const branch = (w: Writing, value: () => Float): readonly [...Instr[], Float] => {
  const outer = w.body
  w.body = []
  const last = value()
  const body = [...w.body, last] as const
  w.body = outer
  return body
}

const writerOfOne = (w: Writing): Writer => ({
  ...one,
  float: naming(w, 'f64'),
  word: naming(w, 'i64'),
  choose: (p, then, otherwise) => f64.if(p, branch(w, then), branch(w, otherwise)),
})

const writerOfTwo = (w: Writing): Writer => ({
  ...two,
  float: naming(w, 'v128'),
  word: naming(w, 'v128'),
  choose: (p, then, otherwise) => two.select(p, then(), otherwise()),
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

const ofOne = (name: string, arity: number, formula: Formula): WasmFunction => {
  const w = nothing()
  const writer = writerOfOne(w)
  const operands = operandsOf(arity, 'f32').map((p) => writer.float(f64.promote_f32(local('f32', p.name))))
  return functionOf(name, arity, 'f32', w, f32.demote_f64(formula(writer, ...operands)))
}

type Vector = Expr<'v128'>

/** Two lanes at a time, since a vector has room for two float64. */
const ofFour = (name: string, arity: number, formula: Formula): WasmFunction => {
  const w = nothing()
  const writer = writerOfTwo(w)
  const half = (part: (x: Vector) => Vector): Vector => {
    const operands = operandsOf(arity, 'v128').map((p) =>
      writer.float(f64x2.promote_low_f32x4(part(local('v128', p.name))) as Instr as Float),
    )
    return f32x4.demote_f64x2_zero(writer.float(formula(writer, ...operands)) as Instr as Vector)
  }
  const [first, second] = [half((x) => x), half(upperHalf)]
  return functionOf(fourOf(name), arity, 'v128', w, lowerHalves(first, second))
}

/** Both readings of a formula: promoted to float64, computed there and rounded once. */
export const ofFloats = (name: string, arity: 1 | 2, formula: Formula): MathFunction => ({
  one: ofOne(name, arity, formula),
  four: ofFour(name, arity, formula),
})
