import { broadcastTo, input } from './build/index.js'
import { userCallSite } from './call-site.js'
import type { Demand } from './demand.js'
import type { GraphError } from './errors.js'
import { intern } from './intern.js'
import { type AnySpec, isSpec, type Declared, type SpecTree, type TensorsOf } from './spec.js'
import { type AnyTensor, axisNames, isTensor, type OnlyScalar, type Scalar, tensor, type Tensor } from './tensor.js'
import { leaves, type Leaf, mapTree } from './tree.js'
import { topological } from './walk.js'

/** Tensors in records and arrays. */
export type TensorTree = AnyTensor | { readonly [key: string]: TensorTree } | readonly TensorTree[]

/** A program: what it is given, what it gives, and the state that it replaces. Plain data; every reading starts here. */
export interface Program<I = SpecTree, S = SpecTree, O = TensorTree> {
  readonly inputs: I
  readonly state: S
  readonly outputs: O
  /** The state after a run, in the tree and the axis order of `state`. */
  readonly nextState: TensorTree
}

const specLeaves = leaves(isSpec)
const tensorLeaves = leaves(isTensor)

const inputsFrom =
  (root: string) =>
  (tree: unknown): unknown =>
    mapTree(isSpec)(({ dtype, axes }, path) => input(path, dtype, axes))(tree, root)

/** The new value of a state in the memory order of the old: a state is replaced in place. */
const fitState = (path: string, spec: AnySpec, next: AnyTensor | undefined): AnyTensor => {
  const expected = spec.axes.map(({ name }) => name)
  const given = next === undefined ? [] : axisNames(next)
  const fits = next?.dtype === spec.dtype && given.length === expected.length && given.every((name) => expected.includes(name))
  if (fits) return broadcastTo(spec.axes)(next)
  const at = userCallSite()
  const errors: readonly GraphError[] =
    next !== undefined && next.dtype !== spec.dtype
      ? [{ tag: 'typesDoNotFit', op: `state '${path}'`, takes: spec.dtype, given: [next.dtype], at }]
      : [{ tag: 'axesDiffer', op: `state '${path}'`, expected, given, at }]
  return tensor(spec.dtype, spec.axes, { tag: 'invalid', errors, operands: next === undefined ? [] : [next] })
}

/**
 * A program from a body over its inputs and its state. The body is traced once; equal expressions become one.
 * What is wrong with it is in the result, and `plan` and `evaluate` report all of it.
 */
export const program = <const I, O extends TensorTree, const S = Readonly<Record<never, never>>>(parts: {
  readonly inputs: I & SpecTree
  readonly state?: S & SpecTree
  readonly body: (inputs: TensorsOf<I>, state: TensorsOf<S>) => { readonly outputs: O; readonly state?: TensorsOf<S> }
}): Program<I, S, O> => {
  const state = parts.state ?? ({} as S)
  const traced = parts.body(inputsFrom('inputs')(parts.inputs) as TensorsOf<I>, inputsFrom('state')(state) as TensorsOf<S>)
  const next = new Map(tensorLeaves(traced.state ?? {}).map(({ path, value }) => [path, value]))
  const outputs = tensorLeaves(traced.outputs)
  const states = specLeaves(state).map(({ path, value }): Leaf<AnyTensor> => ({ path, value: fitState(path, value, next.get(path)) }))
  const made = intern([...outputs, ...states].map(({ value }) => value))
  const interned = new Map(
    made.map((x, i) => [i < outputs.length ? `outputs ${outputs[i]?.path ?? ''}` : `state ${states[i - outputs.length]?.path ?? ''}`, x]),
  )
  return {
    inputs: parts.inputs,
    state,
    outputs: mapTree(isTensor)((x, path) => interned.get(`outputs ${path}`) ?? x)(traced.outputs) as O,
    nextState: mapTree(isSpec)((_, path) => interned.get(`state ${path}`))(state) as TensorTree,
  }
}

/** The leaves of what a program is given, each by the path of its input node: `inputs.…` and `state.…`. */
export const givenLeaves = (p: Program<unknown, unknown, unknown>): readonly Leaf<AnySpec>[] => [
  ...specLeaves(p.inputs, 'inputs'),
  ...specLeaves(p.state, 'state'),
]

/** The leaves of what a program makes: `outputs.…`, and the new value of each `state.…`. */
export const madeLeaves = (p: Program<unknown, unknown, unknown>): readonly Leaf<AnyTensor>[] => [
  ...tensorLeaves(p.outputs, 'outputs'),
  ...tensorLeaves(p.nextState, 'state'),
]

export const rootsOf = (p: Program<unknown, unknown, unknown>): readonly AnyTensor[] => madeLeaves(p).map(({ value }) => value)

/** Everything that is wrong with a program, in the order in which it was built. */
export const graphErrors = (p: Program<unknown, unknown, unknown>): readonly GraphError[] =>
  topological(rootsOf(p)).flatMap(({ node }) => (node.tag === 'invalid' ? node.errors : []))

/** What a program asks of its sizes once they are bound. */
export const demandsOf = (p: Program<unknown, unknown, unknown>): readonly Demand[] =>
  topological(rootsOf(p)).flatMap(({ demands }) => demands)

/** A loss: its inputs, known at run time and typed from the declaration, and a scalar of them. */
export interface Loss<I = SpecTree> {
  readonly name: string
  readonly inputs: I & SpecTree
  readonly loss: (inputs: TensorsOf<I>) => Scalar
}

/** A loss by name, for `axgrad check` and `axgrad inspect`. An input that is no spec, or a result that is no scalar, is a sentence of tsc's. */
export const defineLoss = <const I, A extends string = never>(loss: {
  readonly name: string
  readonly inputs: Declared<I>
  readonly loss: (inputs: TensorsOf<I>) => Tensor<A> & OnlyScalar<A>
}): Loss<I> => loss as unknown as Loss<I>

/** The program with the loss as its only output. */
export const lossProgram = <I>({ inputs, loss }: Loss<I>): Program<I, Readonly<Record<never, never>>, { readonly loss: Scalar }> =>
  program({ inputs, body: (given) => ({ outputs: { loss: loss(given) } }) })
