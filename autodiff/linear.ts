import { type AnyTensor, madeOf, type Node, type NodeOf, type ScalarOp, type Tag, topological } from '../dsl/index.js'

type Asks = (x: AnyTensor) => boolean

/** What a node looks at: whether an operand changes with the variable, and whether it is zero. */
interface Looks {
  readonly moves: Asks
  readonly isZero: Asks
}

type LinearIn = (operands: readonly AnyTensor[], looks: Looks) => boolean

const fixed = (x: AnyTensor | undefined, { moves }: Looks): boolean => x === undefined || !moves(x)

/** A sum is linear if what does not change is 0. */
const allOrZero: LinearIn = (operands, { moves, isZero }) => operands.every((x) => moves(x) || isZero(x))

const oneOf: LinearIn = (operands, { moves }) => operands.filter(moves).length === 1

const always: LinearIn = () => true

const never: LinearIn = () => false

const alone: LinearIn = ([, other], looks) => fixed(other, looks)

/** The scalar operations that are linear in some operands, and when; no other is. */
const linearOps: { readonly [O in ScalarOp]?: LinearIn } = {
  neg: always,
  toF32: always,
  add: allOrZero,
  sub: allOrZero,
  mul: oneOf,
  div: alone,
  select: ([condition, ...branches], looks) => fixed(condition, looks) && allOrZero(branches, looks),
}

/** Of each node with an operand that changes with the variable: whether it is linear in it. */
const linearNodes: { readonly [T in Tag]: (node: NodeOf<T>, looks: Looks) => boolean } = {
  map: ({ op, operands }, looks) => (linearOps[op] ?? never)(operands, looks),
  broadcast: () => true,
  sum: () => true,
  contract: ({ x, y }, looks) => oneOf([x, y], looks),
  linearRecurrence: ({ a }, looks) => fixed(a, looks),
  gather: () => true,
  scatterAdd: () => true,
  scatterSet: ({ x, values }, looks) => allOrZero([x, values], looks),
  slice: () => true,
  pad: () => true,
  flip: () => true,
  concat: ({ parts }, looks) => allOrZero(parts, looks),
  split: () => true,
  merge: () => true,
  rename: () => true,
  custom: () => true, // if its body is
  checkpoint: () => true,
  barrier: () => true,
  max: () => false,
  min: () => false,
  argMax: () => false,
  argMin: () => false,
  argSort: () => false,
  stopGradient: () => false, // nothing comes back through it
  input: () => false,
  constant: () => false,
  iota: () => false,
  extent: () => false,
  invalid: () => false,
}

const isLinearNode = (node: Node, looks: Looks): boolean => (linearNodes[node.tag] as (node: Node, looks: Looks) => boolean)(node, looks)

/** The constant 0, repeated or moved. */
const zeroIn = (zeros: ReadonlySet<Node>, node: Node): boolean =>
  node.tag === 'constant' ? node.value === 0 : (node.tag === 'broadcast' || node.tag === 'rename') && zeros.has(node.x.node)

/** Whether the results are seen to be linear in the variable, node by node: all that changes with it does so linearly, and is 0 where it is. */
export const isLinearIn = (variable: AnyTensor, results: readonly AnyTensor[]): boolean => {
  const moving = new Set<Node>([variable.node])
  const zeros = new Set<Node>()
  const looks: Looks = { moves: (x) => moving.has(x.node), isZero: (x) => zeros.has(x.node) }
  for (const { node } of topological(results)) {
    if (moving.has(node)) continue
    if (zeroIn(zeros, node)) zeros.add(node)
    if (!madeOf(node).some(looks.moves)) continue
    if (!isLinearNode(node, looks)) return false
    moving.add(node)
  }
  return results.every((x) => looks.moves(x) || looks.isZero(x))
}
