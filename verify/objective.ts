import { cotangentOf, cotangents, type Rules, tangents } from '../autodiff/index.js'
import { type AnyTensor, build, type Leaf, type Node, topological } from '../dsl/index.js'
import { stopsMet } from './flow.js'

/** A scalar expression, and the float inputs that it depends on. */
export interface Objective {
  readonly y: AnyTensor
  /** What the user wrote: y itself, or what y is a derivative of. */
  readonly loss: AnyTensor
  /** The gradients that the loss itself stops: those that differences hold. One that a rule of the derivative stops is not among them. */
  readonly stops: ReadonlySet<Node>
  readonly sources: readonly Leaf<AnyTensor>[]
}

/** The inputs that an expression is made of and that a derivative can be taken by, by path; a program's state and integers are data. */
export const objectiveOf = (y: AnyTensor): Objective => ({
  y,
  loss: y,
  stops: stopsMet([y]),
  sources: topological([y]).flatMap((x) =>
    x.node.tag === 'input' && x.dtype === 'f32' && x.node.path.startsWith('inputs.') ? [{ path: x.node.path, value: x }] : [],
  ),
})

/** The gradient by each source, by reverse mode. */
export const gradients = ({ y, sources }: Objective, rules?: Rules): readonly AnyTensor[] => {
  const tensors = sources.map(({ value }) => value)
  const flow = cotangents([[y, build.constant(1)]], tensors, rules?.pullbacks)
  return tensors.map((source) => cotangentOf(flow, source))
}

const directionPath = (path: string): string => `direction.${path}`

/** A tensor like the source, given at `direction.…`. */
const directions = ({ sources }: Objective): readonly AnyTensor[] =>
  sources.map(({ path, value }) => build.input(directionPath(path), 'f32', value.axes))

/** The derivative in the given direction, by forward mode. */
export const forwards = (o: Objective, rules?: Rules): AnyTensor =>
  tangents(
    [o.y],
    directions(o).map((direction, i) => [o.sources[i]!.value, direction]),
    rules?.pushforwards,
  )[0]!

/** ⟨∇f, v⟩ with the gradient by reverse mode: a scalar again, whose own gradient is the Hessian in the direction v. */
export const alongDirection = (o: Objective, gradient: readonly AnyTensor[]): Objective => {
  const terms = directions(o).map((direction, i) => build.contract(...direction.axes.map(({ name }) => name))(gradient[i]!, direction))
  const y = terms.reduce((sum, term) => build.binary('add')(sum, term), build.constant(0))
  return { ...o, y, stops: madeAgain(o.stops, y) }
}

/** The stops, and those that checkpoints have made of them again. */
const madeAgain = (stops: ReadonlySet<Node>, y: AnyTensor): ReadonlySet<Node> => {
  const sites = new Set([...stops].flatMap((node) => (node.tag === 'stopGradient' ? [node.at] : [])))
  const again = topological([y]).flatMap(({ node }) => (node.tag === 'stopGradient' && sites.has(node.at) ? [node] : []))
  return new Set([...stops, ...again])
}

/** The directions as values to be bound, by the path of each source. */
export const boundDirections = <V>(values: ReadonlyMap<string, V>): ReadonlyMap<string, V> =>
  new Map([...values].map(([path, value]) => [directionPath(path), value]))
