import { type Node, operandsOf } from './node.js'
import type { AnyTensor } from './tensor.js'

type OperandsOf = (x: AnyTensor) => readonly AnyTensor[]

/**
 * Everything that the roots are made of, each node once, operands before what is made of them. Iterative: a chain may be 10⁵ long.
 * Of a tensor for which `operands` says none, the walk does not ask what it is made of.
 */
export const topological = (roots: readonly AnyTensor[], operands: OperandsOf = ({ node }) => operandsOf(node)): readonly AnyTensor[] => {
  const order: AnyTensor[] = []
  const seen = new Set<Node>()
  const stack: { readonly x: AnyTensor; readonly operandsDone: boolean }[] = roots.toReversed().map((x) => ({ x, operandsDone: false }))
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { x, operandsDone } = top
    if (operandsDone) order.push(x)
    else if (!seen.has(x.node)) {
      seen.add(x.node)
      stack.push({ x, operandsDone: true })
      for (const operand of operands(x).toReversed()) if (!seen.has(operand.node)) stack.push({ x: operand, operandsDone: false })
    }
  }
  return order
}

/** The same expression with each node, operands first, replaced by what `f` makes of it. */
export const rewrite = (f: (x: AnyTensor, rebuilt: (operand: AnyTensor) => AnyTensor) => AnyTensor) => {
  const done = new Map<Node, AnyTensor>()
  const rebuilt = (x: AnyTensor): AnyTensor => done.get(x.node) ?? x
  return (roots: readonly AnyTensor[]): readonly AnyTensor[] => {
    for (const x of topological(roots)) if (!done.has(x.node)) done.set(x.node, f(x, rebuilt))
    return roots.map(rebuilt)
  }
}
