import { nodeLabel, typeText } from './label.js'
import { operandsOf } from './node.js'
import { givenLeaves, madeLeaves, type Program } from './program.js'
import type { AnyTensor } from './tensor.js'
import { topological } from './walk.js'

/** A graph as text, one line a node in the order of evaluation. Equal graphs have equal text. */
export const printGraph = (roots: readonly { readonly path: string; readonly value: AnyTensor }[]): string => {
  const order = topological(roots.map(({ value }) => value))
  const numbers = new Map(order.map(({ node }, i) => [node, `%${String(i)}`]))
  const nameOf = (x: AnyTensor): string => numbers.get(x.node) ?? '?'
  const lines = order.map((x) => [nameOf(x), '=', nodeLabel(x.node), ...operandsOf(x.node).map(nameOf), ':', typeText(x)].join(' '))
  return [...lines, ...roots.map(({ path, value }) => `${path} = ${nameOf(value)}`)].join('\n')
}

/** A program as text: what it is given, its graph, what it makes. */
export const printProgram = (p: Program<unknown, unknown, unknown>): string =>
  [...givenLeaves(p).map(({ path, value }) => `${path}: ${typeText(value)}`), printGraph(madeLeaves(p))].join('\n')
