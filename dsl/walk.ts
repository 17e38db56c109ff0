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
  const path: { readonly x: AnyTensor; readonly made: readonly AnyTensor[]; next: number }[] = []
  const enter = (x: AnyTensor): void => {
    if (seen.has(x.node)) return
    seen.add(x.node)
    path.push({ x, made: operands(x), next: 0 })
  }
  for (const root of roots) {
    enter(root)
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const operand = last.made[last.next++]
      if (operand !== undefined) enter(operand)
      else {
        order.push(last.x)
        path.pop()
      }
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
