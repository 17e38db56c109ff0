import { type AnyTensor, axisNames, build, intern, rewrite } from '../dsl/index.js'

/** What a tensor may be replaced by; undefined where the rule does not apply. */
type Rule = (x: AnyTensor) => AnyTensor | undefined

/** Once the derivative has been taken, what it must not cross is nothing at all. */
const stopped: Rule = ({ node }) => (node.tag === 'stopGradient' ? node.x : undefined)

/** A rename that renames nothing. */
const sameNames: Rule = ({ node }) =>
  node.tag === 'rename' && Object.entries(node.names).every(([from, to]) => from === to) ? node.x : undefined

/** A broadcast that neither adds an axis nor moves one. */
const sameAxes: Rule = (x) => (x.node.tag === 'broadcast' && axisNames(x).join() === axisNames(x.node.x).join() ? x.node.x : undefined)

/** A product that sums over nothing is pointwise. */
const outerProduct: Rule = (x) => {
  if (x.node.tag !== 'contract' || x.node.over.length > 0) return undefined
  const spread = build.broadcastTo(x.axes)
  return build.map('mul', spread(x.node.x), spread(x.node.y))
}

const rules: readonly Rule[] = [stopped, sameNames, sameAxes, outerProduct]

const simplified = (x: AnyTensor): AnyTensor => rules.reduce<AnyTensor | undefined>((found, rule) => found ?? rule(x), undefined) ?? x

/** The graph as the compiler wants it: without what only the derivative reads, equal expressions one node, dead ones gone. */
export const canonicalise = (roots: readonly AnyTensor[]): readonly AnyTensor[] =>
  intern(rewrite((x, rebuilt) => simplified(build.over(x, rebuilt)))(roots))
