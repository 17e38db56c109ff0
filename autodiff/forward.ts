import { type AnyTensor, build, type Node, topological } from '../dsl/index.js'
import { type Pushforwards, pushforwards, type TangentOf } from './pushforwards.js'

const { broadcastTo } = build

/** The tangents of the results, given those of the sources. Each has the axis order of what it is the tangent of. */
export const tangents = (
  results: readonly AnyTensor[],
  sources: readonly (readonly [AnyTensor, AnyTensor])[],
  table: Pushforwards = pushforwards,
): readonly AnyTensor[] => {
  const flow = new Map<Node, AnyTensor>(sources.map(([source, tangent]) => [source.node, broadcastTo(source.axes)(tangent)]))
  const tangentOf: TangentOf = (x) => (x.dtype === 'f32' ? flow.get(x.node) : undefined)
  for (const y of topological(results)) {
    if (flow.has(y.node) || y.dtype !== 'f32') continue
    const row = table[y.node.tag] as (node: Node, y: AnyTensor, tangentOf: TangentOf) => AnyTensor | undefined
    const tangent = row(y.node, y, tangentOf)
    if (tangent !== undefined) flow.set(y.node, broadcastTo(y.axes)(tangent))
  }
  return results.map((y) => tangentOf(y) ?? build.filled(0, y))
}
