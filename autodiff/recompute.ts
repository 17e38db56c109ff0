import { type AnyTensor, build, type Node } from '../dsl/index.js'
import { type Region, regionsOf } from './regions.js'

type Flow = ReadonlyMap<Node, AnyTensor>

/** What reverse mode asks of the checkpoints of a graph. */
export interface Recomputation {
  /** A cotangent has arrived at y: if y is a checkpoint, what lies between it and its arguments is from here on computed again. */
  readonly open: (y: AnyTensor, arrived: AnyTensor, pending: Flow) => void
  /** Where to pull a cotangent of y: at y itself, or at what is computed again. */
  readonly at: (y: AnyTensor) => AnyTensor
  /** The tensor that an operand of what is computed again stands for. */
  readonly original: (operand: AnyTensor) => AnyTensor
}

/** What an alias stands for. */
const aliasOf = ({ node }: AnyTensor): AnyTensor | undefined =>
  node.tag === 'rename' && Object.keys(node.names).length === 0 ? node.x : undefined

/**
 * How reverse mode, on its way from the end of `order` to the sources, meets checkpoints. What lies between the arguments of one and its
 * results is copied onto barriers, and pulled at the copies: they are the same operations in the same order, so a derivative keeps its
 * bits. A barrier waits for all that is on its way when the first cotangent enters the region, so that what was computed again before is
 * no longer needed. Contributions to an argument are added up as if nothing stood between.
 */
export const recomputation = (order: readonly AnyTensor[], sources: readonly AnyTensor[]): Recomputation => {
  const ends = new Map(sources.map((source) => [source.node, source]))
  const { endingAt, around } = regionsOf(order, ends)
  const given = new Set([...endingAt.values()].flatMap((region) => region.given.map(({ node }) => node)))
  const copies = new Map<Region, (x: AnyTensor) => AnyTensor>()
  const originals = new Map<Node, AnyTensor>()
  const awaited = new Set<Node>()

  const copyAround = ({ node }: AnyTensor): ((x: AnyTensor) => AnyTensor) => {
    const region = around.get(node)?.find((own) => copies.has(own))
    return (region && copies.get(region)) ?? ((x) => x)
  }
  const original = (operand: AnyTensor): AnyTensor => {
    const x = originals.get(operand.node) ?? operand
    const behind = given.has(x.node) && !ends.has(x.node) ? aliasOf(x) : undefined
    return behind === undefined ? x : original(behind)
  }
  /** What was not waited for before, in the axis order of its source as well: a gradient is asked for in that. */
  const waitFor = (pending: Flow): readonly AnyTensor[] => {
    const fresh = [...pending].filter(([, ct]) => !awaited.has(ct.node))
    for (const [, ct] of fresh) awaited.add(ct.node)
    return [...new Set(fresh.flatMap(([node, ct]) => [ct, build.broadcastTo(ends.get(node)?.axes ?? ct.axes)(ct)]))]
  }
  const open: Recomputation['open'] = (y, arrived, pending) => {
    const region = endingAt.get(y.node)
    if (region === undefined || copies.has(region)) return
    const after = [arrived, ...waitFor(pending)]
    const outer = copyAround(y)
    const made = new Map<Node, AnyTensor>()
    const copyOf = (x: AnyTensor): AnyTensor => made.get(x.node) ?? outer(x)
    const put = (x: AnyTensor, copy: AnyTensor): void => {
      made.set(x.node, copy)
      originals.set(copy.node, x)
    }
    for (const x of region.given) put(x, build.barrier(outer(x), after))
    for (const x of region.members) put(x, build.over(x, copyOf))
    copies.set(region, copyOf)
  }
  return { open, at: (y) => copyAround(y)(y), original }
}
