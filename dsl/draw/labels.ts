import { nodeLabel, numberText, shortTypeText } from '../label.js'
import { type Node, operandsOf } from '../node.js'
import type { AnyTensor } from '../tensor.js'
import { operandNames, type Role, roleOf } from './looks.js'

interface Paint {
  readonly fill: string
  readonly line: string
}

const paints: { readonly [R in Role | 'output']: Paint } = {
  input: { fill: '#dbeafe', line: '#3b82f6' },
  source: { fill: '#f3f4f6', line: '#9ca3af' },
  pointwise: { fill: '#fef9c3', line: '#ca8a04' },
  movement: { fill: '#ffffff', line: '#9ca3af' },
  reduction: { fill: '#dcfce7', line: '#16a34a' },
  contraction: { fill: '#ede9fe', line: '#7c3aed' },
  recurrence: { fill: '#cffafe', line: '#0891b2' },
  indexing: { fill: '#ffedd5', line: '#ea580c' },
  stop: { fill: '#fee2e2', line: '#dc2626' },
  custom: { fill: '#fce7f3', line: '#db2777' },
  checkpoint: { fill: '#ecfccb', line: '#65a30d' },
  invalid: { fill: '#fecaca', line: '#7f1d1d' },
  output: { fill: '#1f2937', line: '#1f2937' },
}

/** Words as Graphviz's labels hold them: what XML does not hold is spelt as JSON spells it, and neither XML nor Graphviz reads anything into it. */
const text = (words: string): string =>
  words
    .replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('\\', '\\\\')
    .replace(/[&<>"]/g, (c) => `&#${String(c.charCodeAt(0))};`)

const small = (words: string, colour = '#6b7280'): string => `<font point-size="8" color="${colour}">${text(words)}</font>`

/** A label of Graphviz's, of one line. */
export const oneLine = (words: string): string => `<${text(words)}>`

const twoLines = (first: string, second: string): string => `<${text(first)}<br/>${small(second)}>`

/** Two lines that begin at the left. */
export const toTheLeft = (first: string, second: string): string => `<${text(first)}<br align="left"/>${small(second)}<br align="left"/>>`

/** The attributes that a role gives to a node. */
export const painted = (role: keyof typeof paints): string => {
  const { fill, line } = paints[role]
  return `class="${role}" fillcolor="${fill}" color="${line}"`
}

/** A number stands in the label of what it is used by. */
export const isInlined = ({ node }: AnyTensor): boolean => node.tag === 'constant'

const argument = ({ node }: AnyTensor): string => (node.tag === 'constant' ? numberText(node.value) : '·')

/** `mul(0.5, ·)`; an input is its path. */
const title = (node: Node): string => {
  const operands = operandsOf(node)
  if (node.tag === 'input') return node.path
  return operands.some(isInlined) ? `${nodeLabel(node)}(${operands.map(argument).join(', ')})` : nodeLabel(node)
}

interface Entrance {
  readonly port: number
  readonly name: string
}

/** Where the operands of a node come in, if their order matters: side by side on its upper edge, each by its name. */
export const entrances = (node: Node): readonly Entrance[] => {
  const names = operandNames(node)
  const drawn = operandsOf(node).flatMap((operand, port) => (isInlined(operand) ? [] : [{ port, name: names[port] ?? '' }]))
  return names.length > 0 && drawn.length > 1 ? drawn : []
}

/** A node's label: the names of its entrances, what it is, and its type. */
export const labelOf = (x: AnyTensor): string => {
  const first = entrances(x.node)
  if (first.length === 0) return twoLines(title(x.node), shortTypeText(x))
  const across = `<td colspan="${String(first.length)}">`
  const cells = first.map(({ port, name }) => `<td port="p${String(port)}">${small(name)}</td>`)
  const rows = [cells.join(''), `${across}${text(title(x.node))}</td>`, `${across}${small(shortTypeText(x))}</td>`]
  return `<<table border="0" cellspacing="0" cellpadding="1">${rows.map((row) => `<tr>${row}</tr>`).join('')}</table>>`
}

/** The colours that a drawing of these nodes uses, as the label of the whole. */
export const legend = (nodes: readonly AnyTensor[]): string => {
  const used = new Set<string>(['output', ...nodes.map(({ node }) => roleOf(node))])
  const roles = (Object.keys(paints) as (keyof typeof paints)[]).filter((role) => used.has(role))
  const cells = roles.map((role) => {
    const { fill, line } = paints[role]
    return `<td bgcolor="${fill}" color="${line}" style="rounded">${small(role, role === 'output' ? '#ffffff' : '#374151')}</td>`
  })
  return `label=<<table border="0" cellborder="1" cellspacing="6" cellpadding="4"><tr>${cells.join('')}</tr></table>>`
}
