import { type AnyTensor, type Box, type Leaf, madeOf, type Program, topological } from '../dsl/index.js'
import { baseline, type Limits } from './group.js'
import { grouped } from './grouped.js'
import { storedBy } from './merge.js'
import type { Plan } from './plan.js'

/** A planned program as a drawing holds it: what it makes, and a box for each dispatch with all that its kernel computes. */
export const kernelBoxes = (
  p: Program<unknown, unknown, unknown>,
  plan: Plan,
  limits: Limits = baseline,
): { readonly roots: readonly Leaf<AnyTensor>[]; readonly boxes: readonly Box[] } => {
  const { outputs, states, groups, isBuffer } = grouped(p, limits)
  const dispatches = plan.commands.flatMap((command) => (command.tag === 'dispatch' ? [command] : []))
  const boxes = dispatches.map(({ kernel, extents, makes }, i): Box => {
    const { members } = groups[i]!
    const own = members.map(({ tensor }) => tensor)
    const isOwn = new Set(own.map(({ node }) => node))
    const elsewhere = ({ node }: AnyTensor): boolean => !isOwn.has(node) && isBuffer(node)
    return {
      title: `kernel ${String(i)}: ${plan.kernels[kernel]?.name ?? '?'}`,
      note: `over [${extents.map(({ text }) => text).join(', ')}], makes: ${[...new Set(makes.map(({ because }) => because))].join(', ')}`,
      nodes: topological(own, (x) => (elsewhere(x) ? [] : madeOf(x.node))).filter((x) => !elsewhere(x)),
      makes: storedBy(groups[i]!),
    }
  })
  return { roots: [...outputs, ...states], boxes }
}
