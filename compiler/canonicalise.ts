import { type AnyTensor, axisOf, build, intern, madeOf, type Node, rewrite, topological } from '../dsl/index.js'

/** What a tensor may be replaced by; undefined where the rule does not apply. */
type Rule = (x: AnyTensor) => AnyTensor | undefined

/** Once the derivative has been taken, what only it looks at is nothing at all. */
const ofTheDerivative: Rule = ({ node }) =>
  node.tag === 'stopGradient' || node.tag === 'custom' || node.tag === 'checkpoint' ? node.x : undefined

/** A rename that renames nothing. */
const sameNames: Rule = ({ node }) =>
  node.tag === 'rename' && Object.entries(node.names).every(([from, to]) => from === to) ? node.x : undefined

const sameOrder = (x: AnyTensor, y: AnyTensor): boolean =>
  x.axes.length === y.axes.length && x.axes.every(({ name }, i) => y.axes[i]?.name === name)

/** A broadcast that neither adds an axis nor moves one. */
const sameAxes: Rule = (x) => (x.node.tag === 'broadcast' && sameOrder(x, x.node.x) ? x.node.x : undefined)

/** A product that sums over nothing is pointwise. */
const outerProduct: Rule = (x) => {
  if (x.node.tag !== 'contract' || x.node.over.length > 0) return undefined
  const spread = build.broadcastTo(x.axes)
  return build.map('mul', spread(x.node.x), spread(x.node.y))
}

/** A scatter that adds no two elements together puts each where its id says and 0 elsewhere: pointwise. */
const oneHot: Rule = (x) => {
  const { node } = x
  if (node.tag !== 'scatterAdd' || node.over.length > 0) return undefined
  const along = axisOf(x, node.axis)
  if (along === undefined) return undefined
  const places = build.iota(along.name, along.size)
  const spread = build.broadcastTo(x.axes)
  const ids = node.ids.dtype === 'i32' ? node.ids : build.map('toI32', node.ids)
  return build.select(build.map('equal', spread(ids), spread(places)), spread(node.x), 0)
}

const simplified =
  (rules: readonly Rule[]) =>
  (x: AnyTensor): AnyTensor =>
    rules.reduce<AnyTensor | undefined>((found, rule) => found ?? rule(x), undefined) ?? x

const applied = (rules: readonly Rule[], roots: readonly AnyTensor[]): readonly AnyTensor[] =>
  intern(rewrite((x, rebuilt) => simplified(rules)(build.over(x, rebuilt)))(roots))

const loopsOf: ReadonlySet<Node['tag']> = new Set(['sum', 'max', 'min', 'argMax', 'argMin', 'contract'] as const)

/** A reduction that is only read with its axes in another order is made in that order. */
const madeInOrder =
  (usedOnce: (x: AnyTensor) => boolean): Rule =>
  (x) =>
    x.node.tag === 'broadcast' && loopsOf.has(x.node.x.node.tag) && x.axes.length === x.node.x.axes.length && usedOnce(x.node.x)
      ? { ...x.node.x, axes: x.axes }
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
  const simpler = applied([ofTheDerivative, sameNames, sameAxes, outerProduct, oneHot], roots)
  const uses = useCounts(simpler)
  const inOrder = madeInOrder(({ node }) => uses.get(node) === 1)
  return intern(withoutIdleWaits(rewrite((x, rebuilt) => build.over(inOrder(x) ?? x, rebuilt))(simpler)))
}
