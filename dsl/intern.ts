import { operandsOf, withOperands, type Node } from './node.js'
import { type AnyTensor, tensor } from './tensor.js'
import { rewrite } from './walk.js'

const quoted = (value: unknown): string =>
  JSON.stringify(value, (_, field: unknown) => (Object.is(field, -0) ? '−0' : typeof field === 'number' ? String(field) : field))

/** A node's own fields as text: all but its operands and call sites. */
const fieldsText = (node: Node): string => {
  const operands = new Set<unknown>(operandsOf(node))
  return quoted(
    Object.entries(node).filter(
      ([name, field]) => name !== 'at' && !operands.has(field) && !(Array.isArray(field) && field.some((f) => operands.has(f))),
    ),
  )
}

const axesText = (x: AnyTensor): string => x.axes.map(({ name, size }) => `${name}:${size.text}`).join(',')

/**
 * Equal expressions become one node: the same operation on the same operands with the same axes in the same order.
 * A node that could not be built stays itself, so that two wrong lines are two reports.
 */
export const intern = (roots: readonly AnyTensor[]): readonly AnyTensor[] => {
  const numbers = new Map<Node, number>()
  const known = new Map<string, AnyTensor>()
  return rewrite((x, rebuilt) => {
    const node = withOperands(x.node, rebuilt)
    const made = tensor(x.dtype, x.axes, node, x.demands)
    const operands = operandsOf(node).map((operand) => numbers.get(operand.node))
    const key =
      node.tag === 'invalid' ? `invalid ${String(numbers.size)}` : `${x.dtype} ${axesText(x)} ${fieldsText(node)} ${operands.join(' ')}`
    const earlier = known.get(key)
    if (earlier !== undefined) return earlier
    numbers.set(node, numbers.size)
    known.set(key, made)
    return made
  })(roots)
}
