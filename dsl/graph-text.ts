import { nodeLabel, typeText } from './label.js'
import { operandsOf } from './node.js'
import { isShare, type Rule } from './rule.js'
import type { AnyTensor } from './tensor.js'
import type { Leaf } from './tree.js'
import { topological } from './walk.js'

/** A rule as text: its graph, then what it gives for each operand. */
const ruleLines = ({ parameters, results }: Rule): readonly string[] => {
  const shares = results.flatMap((share, i) => (isShare(share) ? [{ path: `ct${String(i)}`, value: share }] : []))
  const none = results.flatMap((share, i) => (isShare(share) ? [] : [`ct${String(i)} = none`]))
  const names = parameters.map(({ node }) => (node.tag === 'input' ? node.path : ''))
  return [`vjp(${names.join(', ')})`, ...graphLines(shares), ...none]
}

const graphLines = (roots: readonly Leaf<AnyTensor>[]): readonly string[] => {
  const order = topological(roots.map(({ value }) => value))
  const numbers = new Map(order.map(({ node }, i) => [node, `%${String(i)}`]))
  const nameOf = (x: AnyTensor): string => numbers.get(x.node) ?? '?'
  const lines = order.flatMap((x) => [
    [nameOf(x), '=', nodeLabel(x.node), ...operandsOf(x.node).map(nameOf), ':', typeText(x)].join(' '),
    ...(x.node.tag === 'custom' && x.node.vjp !== undefined ? ruleLines(x.node.vjp).map((line) => `  ${line}`) : []),
  ])
  return [...lines, ...roots.map(({ path, value }) => `${path} = ${nameOf(value)}`)]
}

/** What of a node is not told by its label and its operands. */
export const innerText = (node: AnyTensor['node']): string =>
  node.tag === 'custom' && node.vjp !== undefined ? ruleLines(node.vjp).join('\n') : ''

/** A graph as text, one line a node in the order of evaluation; below a function with its own derivative, that one. Equal graphs have equal text. */
export const printGraph = (roots: readonly Leaf<AnyTensor>[]): string => graphLines(roots).join('\n')
