import { type AnyTensor, type Box, type Leaf, operandsOf, type Program, topological } from '../dsl/index.js'
import { baseline, type Limits } from './group.js'
import { grouped } from './grouped.js'
import type { Plan } from './plan.js'

/** A planned program as a drawing holds it: what it makes, and a box for each dispatch with all that its kernel computes. */
export const kernelBoxes = (
  p: Program<unknown, unknown, unknown>,
  plan: Plan,
  limits: Limits = baseline,
): { readonly roots: readonly Leaf<AnyTensor>[]; readonly boxes: readonly Box[] } => {
  const { outputs, states, order, made } = grouped(p, limits)
  const dispatches = plan.commands.flatMap((command) => (command.tag === 'dispatch' ? [command] : []))
  const makes = order.filter(({ node }) => made.has(node))
  const boxes = dispatches.map(({ kernel, extents, because }, i): Box => {
    const own = makes[i]!
    const elsewhere = (x: AnyTensor): boolean => x.node !== own.node && (x.node.tag === 'input' || made.has(x.node))
    return {
      title: `kernel ${String(i)}: ${plan.kernels[kernel]?.name ?? '?'}`,
      note: `over [${extents.map(({ text }) => text).join(', ')}], because: ${because}`,
      nodes: topological([own], (x) => (elsewhere(x) ? [] : operandsOf(x.node))).filter((x) => !elsewhere(x)),
      makes: own,
    }
  })
  return { roots: [...outputs, ...states], boxes }
}
