/**
 * The reference evaluator: a program node by node, in float64 or float32. Clear and slow. It imports `dsl` alone, so that it
 * cannot share a mistake with what it judges.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import {
  type AnyTensor,
  type BindError,
  bindValues,
  type Bound,
  type DType,
  type GivenFor,
  givenValues,
  hasData,
  type HostData,
  type HostTensor,
  isTensor,
  type MadeBy,
  mapTree,
  type Node,
  operandsOf,
  type Program,
  type ProgramError,
  programErrors,
  requirementsOf,
  rootsOf,
  type Size,
  sizes,
  type TensorsOf,
  topological,
  type Value,
} from '../../dsl/index.js'
import type { Arithmetic } from './evaluate/arithmetic.js'
import type { Evaluated } from './evaluate/layout.js'
import { type Context, rows } from './evaluate/nodes.js'
import { float32, float64 } from './evaluate/numbers.js'

export type { Arithmetic, ScalarTable } from './evaluate/arithmetic.js'
export type { Evaluated } from './evaluate/layout.js'
export { float32, compareNumbers, float64, greatest, least } from './evaluate/numbers.js'

export type EvaluateError = ProgramError | BindError

export interface EvaluateOptions {
  /** float64 unless given. In `f32` every float is rounded as it is made, and sums are taken in order. */
  readonly precision?: 'f64' | 'f32'
}

/** What a run makes. */
export interface Made<S, O> {
  readonly outputs: MadeBy<O>
  readonly state: MadeBy<TensorsOf<S>>
}

export type Values<T> = ReadonlyMap<Node, Evaluated<T>>

const valueAt = ({ values }: Bound, path: string): Value => {
  const value = values.get(path)
  if (value === undefined || !hasData(value)) throw new Error(`${path} has no value: bind the values first`)
  return value
}

const numberOf = (bound: Bound, size: Size): number => {
  const number = sizes.evaluateSize(size, bound.sizes)
  if (number === undefined) throw new Error(`the size ${size.text} is not bound: bind the values first`)
  return number
}

/**
 * The elements of everything that the roots are made of, by node. The expression must be free of errors and its values bound.
 * A node of `hold` has the elements given there, whatever its operands are: so a stopped gradient is kept at a base point.
 */
export const evaluateTensors = <T>(
  roots: readonly AnyTensor[],
  bound: Bound,
  arithmetic: Arithmetic<T>,
  hold: Values<T> = new Map(),
): Values<T> => {
  const done = new Map<Node, Evaluated<T>>()
  const context: Context<T> = {
    arithmetic,
    valueOf: ({ node }) => done.get(node)!,
    given: (path) => valueAt(bound, path),
    number: (size) => numberOf(bound, size),
  }
  for (const y of topological(roots, ({ node }) => (hold.has(node) ? [] : operandsOf(node)))) {
    const row = rows[y.node.tag] as (context: Context<T>, node: Node, y: AnyTensor) => Evaluated<T>
    done.set(y.node, hold.get(y.node) ?? row(context, y.node, y))
  }
  return done
}

const arrays: { readonly [D in DType]: (data: readonly number[], precision: 'f64' | 'f32') => HostData } = {
  f32: (data, precision) => (precision === 'f64' ? Float64Array.from(data) : Float32Array.from(data)),
  i32: (data) => Int32Array.from(data),
  u32: (data) => Uint32Array.from(data),
  bool: (data) => Uint32Array.from(data),
}

const unless = <A>([first, ...rest]: readonly EvaluateError[], fine: A): E.Either<NonEmptyArray<EvaluateError>, A> =>
  first === undefined ? E.right(fine) : E.left([first, ...rest])

/** The values that fit a program, all of them on the host; or all that is wrong with the program, else with the values. */
export const bindOnHost = (
  program: Program<unknown, unknown, unknown>,
  inputs: unknown,
  state: unknown = {},
): E.Either<NonEmptyArray<EvaluateError>, Bound> => {
  return pipe(
    unless(programErrors(program), undefined),
    E.flatMap((): E.Either<NonEmptyArray<EvaluateError>, Bound> =>
      bindValues(requirementsOf(program), givenValues(program, inputs, state)),
    ),
  )
}

/** Run a program on the host. Everything that is wrong with it is reported at once; else everything that is wrong with the values. */
export const evaluate = <I, S, O>(
  program: Program<I, S, O>,
  inputs: GivenFor<I>,
  state?: GivenFor<S>,
  { precision = 'f64' }: EvaluateOptions = {},
): E.Either<NonEmptyArray<EvaluateError>, Made<S, O>> =>
  E.map((bound: Bound): Made<S, O> => {
    const values = evaluateTensors(rootsOf(program), bound, precision === 'f64' ? float64 : float32)
    const made = (x: AnyTensor): HostTensor => {
      const { axes, sizes, data } = values.get(x.node)!
      return { axes, sizes, data: arrays[x.dtype](data, precision) }
    }
    const tree = mapTree(isTensor)(made)
    return { outputs: tree(program.outputs) as MadeBy<O>, state: tree(program.nextState) as MadeBy<TensorsOf<S>> }
  })(bindOnHost(program, inputs, state))
