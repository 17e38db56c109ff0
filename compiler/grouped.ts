import { type AnyTensor, build, isTensor, type Leaf, leaves, type Node, type Program, topological } from '../dsl/index.js'
import { canonicalise } from './canonicalise.js'
import { group, type Limits, type Reason } from './group.js'

/** The graph that is planned, and which of its tensors are made. */
export interface Grouped {
  readonly outputs: readonly Leaf<AnyTensor>[]
  readonly states: readonly Leaf<AnyTensor>[]
  readonly order: readonly AnyTensor[]
  readonly made: ReadonlyMap<Node, Reason>
}

/** A program that has no errors, in its canonical form and in groups. An input that is a result is copied, and so has a node of its own. */
export const grouped = (p: Program<unknown, unknown, unknown>, limits: Limits): Grouped => {
  const [outputs, states] = [leaves(isTensor)(p.outputs, 'outputs'), leaves(isTensor)(p.nextState, 'state')]
  const roots = canonicalise([...outputs, ...states].map(({ value }) => value)).map((x) => (x.node.tag === 'input' ? build.alias(x) : x))
  const results = [...outputs, ...states].map(({ path, value }, i): Leaf<AnyTensor> => ({ path, value: roots[i] ?? value }))
  return {
    outputs: results.slice(0, outputs.length),
    states: results.slice(outputs.length),
    order: topological(roots),
    made: group(roots, limits),
  }
}
