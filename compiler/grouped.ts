import { type AnyTensor, build, isTensor, type Leaf, leaves, type Node, type Program, topological } from '../dsl/index.js'
import { canonicalise } from './canonicalise.js'
import type { Member } from './cluster.js'
import { group, type Limits, type Reason } from './group.js'
import { type Group, merge } from './merge.js'
import { readsOf } from './reads.js'

/** The graph that is planned, and which of its tensors are made. */
export interface Grouped {
  readonly outputs: readonly Leaf<AnyTensor>[]
  readonly states: readonly Leaf<AnyTensor>[]
  readonly order: readonly AnyTensor[]
  readonly made: ReadonlyMap<Node, Reason>
  /** What each kernel makes, in the order in which they run. */
  readonly groups: readonly Group[]
  readonly isBuffer: (node: Node) => boolean
}

/** For each old state the node that replaces it and no other, where everything else that reads the old one comes before that. */
const replacesOf = (members: readonly Member[], states: readonly Leaf<AnyTensor>[]): ReadonlyMap<Node, Node> => {
  const next = new Map(states.map(({ path, value }) => [path, value.node]))
  const made = new Map(members.map(({ tensor, position }) => [tensor.node, position]))
  const lastRead = new Map<Node, number>()
  for (const { buffers, position } of members) for (const node of buffers.keys()) lastRead.set(node, position)
  const olds = new Map<Node, Node>()
  for (const [node, last] of lastRead) {
    const own = node.tag === 'input' ? next.get(node.path) : undefined
    if (own !== undefined && last <= (made.get(own) ?? -1) && !olds.has(own)) olds.set(own, node)
  }
  return new Map([...olds].map(([own, node]) => [node, own]))
}

/** A program that has no errors, in its canonical form and in groups. An input that is a result is copied, and so has a node of its own. */
export const grouped = (p: Program<unknown, unknown, unknown>, limits: Limits): Grouped => {
  const [outputs, states] = [leaves(isTensor)(p.outputs, 'outputs'), leaves(isTensor)(p.nextState, 'state')]
  const roots = canonicalise([...outputs, ...states].map(({ value }) => value)).map((x) => (x.node.tag === 'input' ? build.alias(x) : x))
  const results = [...outputs, ...states].map(({ path, value }, i): Leaf<AnyTensor> => ({ path, value: roots[i] ?? value }))
  const order = topological(roots)
  const made = group(roots, limits)
  const isBuffer = (node: Node): boolean => node.tag === 'input' || made.has(node)
  const members = order.flatMap((tensor, position): readonly Member[] =>
    made.has(tensor.node) ? [{ tensor, position, ...readsOf(tensor, isBuffer) }] : [],
  )
  const nextStates = results.slice(outputs.length)
  return {
    outputs: results.slice(0, outputs.length),
    states: nextStates,
    order,
    made,
    groups: merge(members, { limits, results: new Set(roots.map(({ node }) => node)), replaces: replacesOf(members, nextStates) }),
    isBuffer,
  }
}
