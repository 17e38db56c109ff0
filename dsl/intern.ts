import { over } from './build/control.js'
import { innerText } from './graph-text.js'
import { nodeLabel, typeText } from './label.js'
import { operandsOf, type Node } from './node.js'
import type { AnyTensor } from './tensor.js'
import { rewrite } from './walk.js'

/**
 * Equal expressions become one node: the same operation on the same operands with the same axes in the same order.
 * A node that could not be built stays itself, so that two wrong lines are two reports.
 */
export const intern = (roots: readonly AnyTensor[]): readonly AnyTensor[] => {
  const numbers = new Map<Node, number>()
  const known = new Map<string, AnyTensor>()
  return rewrite((x, rebuilt) => {
    const made = over(x, rebuilt)
    const { node } = made
    const operands = operandsOf(node)
      .map((operand) => numbers.get(operand.node))
      .join(' ')
    const key =
      node.tag === 'invalid' ? `invalid ${String(numbers.size)}` : `${nodeLabel(node)} ${typeText(x)} ${operands}${innerText(node)}`
    const earlier = known.get(key)
    if (earlier !== undefined) return earlier
    numbers.set(node, numbers.size)
    known.set(key, made)
    return made
  })(roots)
}
