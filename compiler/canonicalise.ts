import { type AnyTensor, build, intern, madeOf, type Node, rewrite, topological } from '../dsl/index.js'
import { type RuleName, rules, simplified } from './rules.js'

/** The graph with these rules applied at each node, operands first, and equal expressions one node. */
export const rewritten =
  (names: readonly RuleName[]) =>
  (roots: readonly AnyTensor[]): readonly AnyTensor[] => {
    const rule = simplified(names)
    return intern(
      rewrite((x, rebuilt) => {
        const same = build.over(x, rebuilt)
        return rule(same) ?? same
      })(roots),
    )
  }

const loopsOf: ReadonlySet<Node['tag']> = new Set(['sum', 'max', 'min', 'argMax', 'argMin', 'contract'] as const)

/** A reduction that is only read with its axes in another order is made in that order: as a node of its own, since a barrier may wait for the old one. */
const madeInOrder =
  (usedOnce: (x: AnyTensor) => boolean) =>
  (x: AnyTensor): AnyTensor | undefined =>
    x.node.tag === 'broadcast' && loopsOf.has(x.node.x.node.tag) && x.axes.length === x.node.x.axes.length && usedOnce(x.node.x)
      ? { ...x.node.x, node: { ...x.node.x.node }, axes: x.axes }
      : undefined

const useCounts = (roots: readonly AnyTensor[]): ReadonlyMap<Node, number> => {
  const counts = new Map<Node, number>()
  const uses = [...roots, ...topological(roots).flatMap(({ node }) => madeOf(node))]
  for (const { node } of uses) counts.set(node, (counts.get(node) ?? 0) + 1)
  return counts
}

/** A barrier waits only for what is made anyway. */
const withoutIdleWaits = (roots: readonly AnyTensor[]): readonly AnyTensor[] => {
  const order = topological(roots)
  if (!order.some(({ node }) => node.tag === 'barrier')) return roots
  const needed = new Set<Node>(roots.map(({ node }) => node))
  for (const { node } of order.toReversed()) if (needed.has(node)) for (const x of madeOf(node)) needed.add(x.node)
  return rewrite((x, rebuilt) =>
    x.node.tag === 'barrier'
      ? build.barrier(rebuilt(x.node.x), x.node.after.filter(({ node }) => needed.has(node)).map(rebuilt))
      : build.over(x, rebuilt),
  )(roots)
}

/** The graph as the compiler wants it: without what only the derivative reads, equal expressions one node, dead ones gone. */
export const canonicalise = (roots: readonly AnyTensor[]): readonly AnyTensor[] => {
  const simpler = rewritten(Object.keys(rules) as readonly RuleName[])(roots)
  const uses = useCounts(simpler)
  const inOrder = madeInOrder(({ node }) => uses.get(node) === 1)
  if (topological(simpler).every((x) => inOrder(x) === undefined)) return withoutIdleWaits(simpler)
  return intern(withoutIdleWaits(rewrite((x, rebuilt) => build.over(inOrder(x) ?? x, rebuilt))(simpler)))
}
