/**
 * The running error bound: one more reading of a program, which gives every output's value in float64 and how far from it a
 * float32 backend may end up, whatever the order of its sums and whether or not it fuses multiply-add. Tolerances are
 * computed, not chosen.
 */
import * as E from 'fp-ts/lib/Either.js'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import { bindOnHost, type Evaluated, type EvaluateError, evaluateTensors } from '../backends/cpu/evaluate.js'
import { type GivenFor, isTensor, leaves, mapTree, type Program, rootsOf, type TensorsOf } from '../dsl/index.js'
import { bounds } from './error-bound/arithmetic.js'
import type { Bounded } from './error-bound/bounded.js'
import { agrees, type Disagreement } from './error-bound/agreement.js'

export { ulps } from './error-bound/arithmetic.js'
export type { Bounded } from './error-bound/bounded.js'
export { agrees, type Disagreement, renderDisagreement } from './error-bound/agreement.js'

export type BoundTensor = Evaluated<Bounded>

/** The tree of bounds for a tree of tensors. */
export type BoundsOf<O> = O extends { readonly node: unknown } ? BoundTensor : { readonly [K in keyof O]: BoundsOf<O[K]> }

export interface ErrorBounds<S, O> {
  readonly outputs: BoundsOf<O>
  readonly state: BoundsOf<TensorsOf<S>>
}

/** What a run of the program on these values may give, on any backend. */
export const errorBounds = <I, S, O>(
  program: Program<I, S, O>,
  inputs: GivenFor<I>,
  state?: GivenFor<S>,
): E.Either<NonEmptyArray<EvaluateError>, ErrorBounds<S, O>> =>
  E.map((bound: Parameters<typeof evaluateTensors>[1]): ErrorBounds<S, O> => {
    const values = evaluateTensors(rootsOf(program), bound, bounds())
    const tree = mapTree(isTensor)((x): BoundTensor => values.get(x.node)!)
    return { outputs: tree(program.outputs) as BoundsOf<O>, state: tree(program.nextState) as BoundsOf<TensorsOf<S>> }
  })(bindOnHost(program, inputs, state))

const isValues = (tree: unknown): tree is Evaluated<unknown> =>
  typeof tree === 'object' && tree !== null && 'axes' in tree && 'sizes' in tree && 'data' in tree

/** Whether a tree of values lies within a tree of bounds: the first place where it does not. */
export const allAgree = (within: unknown, actual: unknown): E.Either<Disagreement, void> => {
  const made = new Map(leaves(isValues)(actual).map(({ path, value }) => [path, value as Evaluated<number>]))
  for (const { path, value } of leaves(isValues)(within)) {
    const agreed = agrees(value as BoundTensor, made.get(path) ?? { axes: [], sizes: [], data: [] }, path)
    if (E.isLeft(agreed)) return agreed
  }
  return E.right(undefined)
}
