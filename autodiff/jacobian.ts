import { type AnyTensor, type Axis, axisNames, build, isTensor, leaves, mapTree, type Tensor, withLeaves } from '../dsl/index.js'
import { tangents } from './forward.js'
import type { Differentiable } from './grad.js'
import { cotangentOf, cotangents } from './reverse.js'

/** Which way to go: once for each element of the parameters, or once for each element of the results. */
export type Mode = 'forward' | 'reverse'

/** Float tensors in records and arrays. */
export type FloatTree = (AnyTensor & { readonly dtype: 'f32' }) | { readonly [key: string]: FloatTree } | readonly FloatTree[]

type By<P, Out extends string> = P extends Tensor<infer In> ? Tensor<Out | `∂${In}`> : { readonly [K in keyof P]: By<P[K], Out> }

/** A tree like the results, and for each of these one like the parameters. */
export type JacobianOf<Y, P> = Y extends Tensor<infer Out> ? By<P, Out> : { readonly [K in keyof Y]: JacobianOf<Y[K], P> }

const second = (name: string): string => `∂${name}`

/** Names that none of these is, nor two of them alike. */
const others = (names: readonly string[]): readonly string[] => {
  const longest = Math.max(0, ...names.map((name) => name.length))
  return names.map((name) => `${'∂'.repeat(longest + 1)}${name}`)
}

/** The axes by other names, in the same order. */
const called = (names: readonly string[], axes: readonly Axis[]): readonly Axis[] => axes.map(({ size }, i) => ({ name: names[i]!, size }))

const { binary, broadcastTo, constant, iota, map, rename } = build

/** 1 where each index of a row is that of the column, 0 elsewhere. */
const identity = (rows: readonly Axis[], columns: readonly Axis[]): AnyTensor => {
  const all = [...rows, ...columns]
  const place = ({ name, size }: Axis): AnyTensor => broadcastTo(all)(iota(name, size))
  const same = rows.map((row, i) => binary('equal')(place(row), place(columns[i]!)))
  return map('toF32', broadcastTo(all)(same.reduce((p, q) => map('and', p, q), constant(1, 'bool'))))
}

/** What is made of a direction of these axes, for each in which a single element moves: along axes of these names. */
const inEach = (axes: readonly Axis[], names: readonly string[], make: (direction: AnyTensor) => readonly AnyTensor[]) => {
  const own = axes.map(({ name }) => name)
  const apart = others([...own, ...names]).slice(0, axes.length)
  const columns = called(apart, axes)
  const direction = build.parameter('direction', { dtype: 'f32', axes: columns })
  const made = make(rename(Object.fromEntries(apart.map((name, i) => [name, own[i]!])))(direction))
  return build.mapped('jacobian', made, [[direction, identity(called(names, axes), columns)]])
}

/** With the axes of these names behind the others. */
const behind =
  (names: readonly string[]) =>
  (x: AnyTensor): AnyTensor =>
    broadcastTo([false, true].flatMap((last) => x.axes.filter(({ name }) => names.includes(name) === last)))(x)

type Blocks = (ys: readonly AnyTensor[], xs: readonly AnyTensor[]) => readonly (readonly AnyTensor[])[]

/** ∂y/∂x for each result and each source. */
const blocks: { readonly [M in Mode]: Blocks } = {
  forward: (ys, xs) => {
    const columns = xs.map((x) => {
      const names = axisNames(x).map(second)
      return inEach(x.axes, names, (direction) => tangents(ys, [[x, direction]])).map(behind(names))
    })
    return ys.map((_, i) => columns.map((column) => column[i]!))
  },
  reverse: (ys, xs) =>
    ys.map((y) =>
      inEach(y.axes, axisNames(y), (ct) => {
        const flow = cotangents([[y, ct]], xs)
        return xs.map((x) => rename(Object.fromEntries(axisNames(x).map((name) => [name, second(name)])))(cotangentOf(flow, x)))
      }),
    ),
}

const tensorsOf = (tree: unknown): readonly AnyTensor[] => leaves(isTensor)(tree).map(({ value }) => value)

/** The tree with these tensors in the places of its own, in their order. */
const filledWith = withLeaves(isTensor)

interface Jacobian {
  <In extends string, Out extends string>(f: (x: Tensor<In>) => Tensor<Out>, mode?: Mode): (x: Tensor<In>) => Tensor<Out | `∂${In}`>
  <P, Y extends FloatTree>(f: (params: P) => Y, mode?: Mode): (params: Differentiable<P>) => JacobianOf<Y, P>
}

/**
 * All partial derivatives of a function: for f from axes 'embed' to axes 'vocab', of axes 'vocab' and '∂embed',
 *
 *   J[vocab, ∂embed] = ∂f(x)[vocab] / ∂x[∂embed]
 *
 *     jacobian(softmax('embed'))(x) // p·(1{i = j} − p′), of axes 'embed' and '∂embed'
 *
 * Parameters and results may be trees of float tensors: then it is a tree like the results, with one like the parameters in the place of
 * each. Forward mode goes in the direction of every parameter at once, `jacobian(f, 'reverse')` back from every result at once: the one
 * with fewer elements is the cheaper way. A custom vjp that is not linear in its cotangent has only the reverse. What is stopped or does not
 * depend on x has derivative 0. A result that has an axis '∂embed' already (that of another Jacobian) must be renamed first, or is an
 * error of the program.
 */
export const jacobian = ((f: (params: unknown) => unknown, mode: Mode = 'forward') =>
  (params: unknown): unknown => {
    const sources = mapTree(isTensor)(build.alias)(params)
    const value = f(sources)
    const rows = blocks[mode](tensorsOf(value), tensorsOf(sources))
    return filledWith(
      value,
      rows.map((row) => filledWith(sources, row)),
    )
  }) as Jacobian
