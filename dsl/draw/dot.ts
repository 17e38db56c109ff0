import { type Node, operandsOf } from '../node.js'
import type { AnyTensor } from '../tensor.js'
import type { Leaf } from '../tree.js'
import { topological } from '../walk.js'
import { entrances, isInlined, labelOf, legend, oneLine, painted, toTheLeft } from './labels.js'
import { roleOf } from './looks.js'

/** What one box of a drawing holds. A tensor that several boxes compute is drawn in each. */
export interface Box {
  readonly title: string
  /** Under the title, smaller. */
  readonly note: string
  /** Operands first. */
  readonly nodes: readonly AnyTensor[]
  /** Those of them that others read. */
  readonly makes: readonly AnyTensor[]
}

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`)

const style: readonly string[] = [
  'graph [rankdir=TB nslimit=2 bgcolor="#ffffff" pad=0.3 nodesep=0.25 ranksep=0.4 labelloc=b fontname="Courier" fontsize=10]',
  'node [shape=box style="rounded,filled" penwidth=1 height=0.3 margin="0.12,0.06" fontname="Courier" fontsize=10 fontcolor="#111827"]',
  'edge [color="#9ca3af" arrowsize=0.6 fontname="Courier" fontsize=8 fontcolor="#6b7280"]',
]

/**
 * A graph as a drawing in Graphviz's language, from what is given at the top to what is made at the bottom: each node with its type, coloured
 * by its role. Numbers stand in the labels of what they are used by. In boxes stands what each computes; what goes from one to another is
 * drawn dark. Equal graphs have equal text.
 */
export const toDot = (roots: readonly Leaf<AnyTensor>[], boxes: readonly Box[] = []): string => {
  const order = topological(roots.map(({ value }) => value))
  const numbers = new Map(order.map(({ node }, i) => [node, i]))
  const isRoot = new Set(roots.map(({ value }) => value.node))
  const held = boxes.map(({ nodes }) => new Set(nodes.map(({ node }) => node)))
  const madeIn = new Map(boxes.flatMap(({ makes }, i) => makes.map(({ node }) => [node, i])))
  const boxed = new Set(boxes.flatMap(({ nodes }) => nodes.map(({ node }) => node)))
  const isDrawn = (x: AnyTensor): boolean => !isInlined(x) || isRoot.has(x.node)

  const id = (node: Node, box: number | undefined): string => `${box === undefined ? '' : `b${String(box)}`}n${String(numbers.get(node))}`
  /** Where something that is drawn in a box, or in none, finds an operand. */
  const placeOf = (node: Node, box: number | undefined): number | undefined =>
    box !== undefined && held[box]?.has(node) === true ? box : madeIn.get(node)

  const drawn = (x: AnyTensor, box: number | undefined): string => {
    const bold = box !== undefined && madeIn.get(x.node) === box ? ' penwidth=2' : ''
    return `${id(x.node, box)} [label=${labelOf(x)} ${painted(roleOf(x.node))}${bold}]`
  }
  const edge = (from: Node, box: number | undefined, to: string): string => {
    const source = placeOf(from, box)
    return `${id(from, source)} -> ${to}${boxes.length > 0 && source !== box ? ' [color="#374151"]' : ''}`
  }
  const edgesTo = (x: AnyTensor, box: number | undefined): readonly string[] => {
    const own = id(x.node, box)
    const ports = new Set(entrances(x.node).map(({ port }) => port))
    return operandsOf(x.node).flatMap((operand, i) =>
      isInlined(operand) ? [] : [edge(operand.node, box, ports.has(i) ? `${own}:p${String(i)}:n` : own)],
    )
  }

  const outside = order.filter((x) => isDrawn(x) && !boxed.has(x.node))
  const inside = boxes.map(({ nodes }) => nodes.filter(isDrawn))
  const clusters = boxes.flatMap(({ title: name, note }, i) => [
    `subgraph cluster_${String(i)} {`,
    ...indented([
      `label=${toTheLeft(name, note)} labelloc=t labeljust=l style="rounded,filled" fillcolor="#f9fafb" color="#cbd5e1" margin=10`,
      ...(inside[i] ?? []).map((x) => drawn(x, i)),
    ]),
    '}',
  ])
  return [
    'digraph {',
    ...indented([
      ...style,
      legend([...outside, ...inside.flat()]),
      ...outside.map((x) => drawn(x, undefined)),
      ...clusters,
      ...roots.map(({ path }, i) => `out${String(i)} [label=${oneLine(path)} ${painted('output')} fontcolor="#ffffff"]`),
      ...outside.flatMap((x) => edgesTo(x, undefined)),
      ...inside.flatMap((nodes, i) => nodes.flatMap((x) => edgesTo(x, i))),
      ...roots.map(({ value }, i) => edge(value.node, undefined, `out${String(i)}`)),
    ]),
    '}',
    '',
  ].join('\n')
}
