import {
  type AnyTensor,
  build,
  isTensor,
  leaves,
  mapTree,
  type OnlyScalar,
  type Scalar,
  type Tensor,
  type TensorTree,
} from '../dsl/index.js'
import { tangents } from './forward.js'
import { cotangentOf, cotangents } from './reverse.js'

/** What can be differentiated by: f32 tensors in records and arrays. A stray leaf meets a sentence. */
export type Differentiable<P> =
  P extends Tensor<infer _A>
    ? P
    : P extends AnyTensor
      ? 'only f32 tensors have a gradient: close over this leaf in place of differentiating by it'
      : P extends object
        ? { readonly [K in keyof P]: Differentiable<P[K]> }
        : 'a parameter tree holds f32 tensors in records and arrays: close over this leaf in place of differentiating by it'

const tensorLeaves = leaves(isTensor)

/** The same tree of tensors that are leaves of their own, so that a derivative is by these places alone. */
const apart = <P>(params: P): P => mapTree(isTensor)(build.alias)(params) as P

const valuesOf = (tree: unknown): readonly AnyTensor[] => tensorLeaves(tree).map(({ value }) => value)

/**
 * The value of f, and the pull of a cotangent of it back to the parameters: Jᵀ·ct, for as many ct as one likes. A tensor that f only closes
 * over is data. Results that are no floats pull nothing back.
 */
export const vjp = <P, Y extends TensorTree>(
  f: (params: P) => Y,
  params: Differentiable<P>,
): { readonly value: Y; readonly pull: (ct: Y) => P } => {
  const sources = apart<P>(params as P)
  const value = f(sources)
  const pull = (ct: Y): P => {
    const given = valuesOf(ct)
    const flow = cotangents(
      valuesOf(value).map((y, i) => [y, given[i] ?? build.filled(0, y)]),
      valuesOf(sources),
    )
    return mapTree(isTensor)((source) => cotangentOf(flow, source))(sources) as P
  }
  return { value, pull }
}

/** The value of f, and its derivative J·v in the direction v, a tree like the parameters. What is stopped, or is no float, has tangent 0. */
export const jvp = <P, Y extends TensorTree>(
  f: (params: P) => Y,
  params: Differentiable<P>,
  direction: P,
): { readonly value: Y; readonly tangent: Y } => {
  const sources = apart<P>(params as P)
  const value = f(sources)
  const directions = valuesOf(direction)
  const made = tangents(
    valuesOf(value),
    valuesOf(sources).map((source, i) => [source, directions[i] ?? build.filled(0, source)]),
  )
  const next = made.values()
  return { value, tangent: mapTree(isTensor)((y) => next.next().value ?? y)(value) as Y }
}

/** f's value and its gradient, a tree like the parameters: one forward and one backward sweep, which share what they compute. */
export const valueAndGrad =
  <P, A extends string = never>(f: (params: P) => Tensor<A> & OnlyScalar<A>) =>
  (params: Differentiable<P>): { readonly value: Scalar; readonly grad: P } => {
    const { value, pull } = vjp(f as unknown as (params: P) => Scalar, params)
    return { value, grad: pull(build.constant(1) as Scalar) }
  }

/**
 * The gradient of a scalar function of a tree of parameters, as a tree of the same shape: more graph, to be fused, printed and
 * differentiated again.
 *
 *     const loss = ({ w }: { w: Tensor<'embed'> }) => pipe(mul(w, x), sum('embed'))
 *     grad(loss)({ w }).w // x, of axes 'embed'
 *
 * A parameter that f does not use, or uses only under `stopGradient` or where no derivative passes (comparisons, `floor`, integers), has
 * gradient 0. A leaf that is no f32 tensor is a type error: close over it instead.
 */
export const grad =
  <P, A extends string = never>(f: (params: P) => Tensor<A> & OnlyScalar<A>) =>
  (params: Differentiable<P>): P =>
    valueAndGrad<P, A>(f)(params).grad
