import { type Node, type NodeOf, operandsOf, type Tag } from './node.js'
import { givenLeaves, madeLeaves, type Program } from './program.js'
import type { AnyTensor } from './tensor.js'
import { topological } from './walk.js'

const over = (names: readonly string[]): string => names.join(', ')

/** What of a node is neither an operand nor told by its axes. */
const settings: { readonly [T in Tag]: (node: NodeOf<T>) => string } = {
  input: ({ path }) => path,
  constant: ({ value }) => (Object.is(value, -0) ? '-0' : String(value)),
  iota: () => '',
  extent: ({ size }) => size.text,
  map: () => '',
  broadcast: () => '',
  sum: (node) => over(node.over),
  max: (node) => over(node.over),
  contract: (node) => over(node.over),
  gather: ({ axis }) => axis,
  scatterAdd: (node) => `${node.axis} over ${over(node.over)}`,
  slice: ({ axis, start, step }) => `${axis} from ${start.text} by ${String(step)}`,
  pad: ({ axis, start, step }) => `${axis} from ${start.text} by ${String(step)}`,
  rename: ({ names }) =>
    Object.entries(names)
      .map(([from, to]) => `${from} → ${to}`)
      .join(', '),
  stopGradient: () => '',
  invalid: ({ errors }) => errors.map(({ tag }) => tag).join(', '),
}

const settingsOf = (node: Node): string => (settings[node.tag] as (node: Node) => string)(node)

/** `sum(time)`, `mul`, `input(inputs.logProbs)` */
export const nodeLabel = (node: Node): string => {
  const name = node.tag === 'map' ? node.op : node.tag
  const own = settingsOf(node)
  return own === '' ? name : `${name}(${own})`
}

/** `f32[batch: batch, embed: 64]` */
export const typeText = ({ dtype, axes }: AnyTensor): string =>
  `${dtype}[${axes.map(({ name, size }) => `${name}: ${size.text}`).join(', ')}]`

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
  [
    ...givenLeaves(p).map(
      ({ path, value }) => `${path}: ${value.dtype}[${value.axes.map(({ name, size }) => `${name}: ${size.text}`).join(', ')}]`,
    ),
    printGraph(madeLeaves(p)),
  ].join('\n')
