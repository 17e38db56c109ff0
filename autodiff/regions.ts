import { type AnyTensor, type Node, operandsOf } from '../dsl/index.js'

/** The results of one call have the same arguments. What depends on these, operands first, is computed again for all of them at once. */
export interface Region {
  readonly given: readonly AnyTensor[]
  readonly members: AnyTensor[]
}

export interface Regions {
  /** The region that ends at a checkpoint. */
  readonly endingAt: ReadonlyMap<Node, Region>
  /** The regions that a tensor lies in, the innermost first. */
  readonly around: ReadonlyMap<Node, readonly Region[]>
}

/** One region for all checkpoints of the same arguments, in the order in which the last of each is met. */
const regionsEndingAt = (order: readonly AnyTensor[]): ReadonlyMap<Node, Region> => {
  const numbers = new Map(order.map(({ node }, i) => [node, i]))
  const known = new Map<string, Region>()
  const found = order.flatMap(({ node }): (readonly [Node, Region])[] => {
    if (node.tag !== 'checkpoint') return []
    const key = node.given.map((x) => numbers.get(x.node)).join(' ')
    const region = known.get(key) ?? { given: node.given, members: [] }
    known.set(key, region)
    return [[node, region]]
  })
  return new Map(found)
}

/** The tensors of each region. A source is in none: it is where a derivative ends, and no other tensor stands for it. */
export const regionsOf = (order: readonly AnyTensor[], sources: ReadonlyMap<Node, AnyTensor>): Regions => {
  const endingAt = regionsEndingAt(order)
  const last = new Map([...endingAt].map(([node, region]) => [region, node]))
  const beginningAt = new Map<Node, ReadonlySet<Region>>()
  for (const region of endingAt.values())
    for (const { node } of region.given) beginningAt.set(node, new Set([...(beginningAt.get(node) ?? []), region]))
  const inside = new Map<Node, readonly Region[]>()
  const around = new Map<Node, Region[]>()
  const closed = new Set<Region>()
  for (const x of order) {
    const [ends, begins] = [endingAt.get(x.node), beginningAt.get(x.node) ?? new Set<Region>()]
    const open = new Set(sources.has(x.node) ? [] : operandsOf(x.node).flatMap(({ node }) => inside.get(node) ?? []))
    const own = [...open].filter((region) => region !== ends && !begins.has(region) && !closed.has(region))
    for (const { members } of own) members.push(x)
    if (own.length + begins.size > 0) inside.set(x.node, [...own, ...begins])
    if (ends === undefined || last.get(ends) !== x.node) continue
    closed.add(ends)
    for (const { node } of ends.members) around.set(node, [...(around.get(node) ?? []), ends])
  }
  return { endingAt, around }
}
