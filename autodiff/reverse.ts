import { type AnyTensor, build, type Node, operandsOf, topological } from '../dsl/index.js'
import { type Pullbacks, pullbacks, sharesOf } from './pullbacks.js'
import { recomputation } from './recompute.js'

const plus = (x: AnyTensor | undefined, y: AnyTensor): AnyTensor => (x === undefined ? y : build.binary('add')(x, y))

/** The nodes through which y depends on the sources: the only ones a cotangent need visit. */
const between = (order: readonly AnyTensor[], sources: ReadonlySet<Node>): ReadonlySet<Node> => {
  const active = new Set<Node>(sources)
  for (const { node } of order) if (operandsOf(node).some((operand) => active.has(operand.node))) active.add(node)
  return active
}

/** The cotangents of the sources, given those of the results. More graph, so fused and differentiated like any other. */
export const cotangents = (
  results: readonly (readonly [AnyTensor, AnyTensor])[],
  sources: readonly AnyTensor[],
  table: Pullbacks = pullbacks,
): ReadonlyMap<Node, AnyTensor> => {
  const ends = new Set(sources.map(({ node }) => node))
  const order = topological(results.map(([y]) => y))
  const active = between(order, ends)
  const again = recomputation(order, sources)
  const flow = new Map<Node, AnyTensor>()
  for (const [y, ct] of results) flow.set(y.node, plus(flow.get(y.node), ct))
  for (const y of order.toReversed()) {
    const arrived = flow.get(y.node)
    if (arrived === undefined || ends.has(y.node) || !active.has(y.node)) continue
    flow.delete(y.node)
    again.open(y, arrived, flow)
    for (const [copy, share] of sharesOf(table, arrived, again.at(y))) {
      const operand = again.original(copy)
      if (operand.dtype === 'f32' && active.has(operand.node)) flow.set(operand.node, plus(flow.get(operand.node), share))
    }
  }
  return flow
}

/** The cotangent of a source, in the source's own axis order; zeros where none arrived. */
export const cotangentOf = (flow: ReadonlyMap<Node, AnyTensor>, source: AnyTensor): AnyTensor => {
  const arrived = flow.get(source.node)
  return arrived === undefined ? build.filled(0, source) : build.broadcastTo(source.axes)(arrived)
}
