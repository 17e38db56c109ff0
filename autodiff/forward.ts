import { type AnyTensor, build, type Node, type NodeOf, type Tag, tensor, topological, withOperands } from '../dsl/index.js'
import { linearizations, recurrence } from './linearizations.js'
import { partials } from './partials.js'
import { inside, sizeAlong } from './transposes.js'
import { transposedVjp } from './transposed.js'

const { binary, broadcastTo } = build

type TangentOf = (x: AnyTensor) => AnyTensor | undefined

const total = (parts: readonly (AnyTensor | undefined)[]): AnyTensor | undefined =>
  parts.reduce((sum, part) => (sum === undefined || part === undefined ? (sum ?? part) : binary('add')(sum, part)), undefined)

/** A node that is linear in x alone: the same node on the tangent. */
const sameOn =
  (pick: (x: AnyTensor, tangent: AnyTensor) => (operand: AnyTensor) => AnyTensor) =>
  (x: AnyTensor, y: AnyTensor, tangentOf: TangentOf): AnyTensor | undefined => {
    const tangent = tangentOf(x)
    return tangent === undefined ? undefined : tensor(y.dtype, y.axes, withOperands(y.node, pick(x, tangent)), y.demands)
  }

const onlyX = sameOn((x, tangent) => (operand) => (operand === x ? tangent : operand))

const nothing = (): undefined => undefined

/** For each node, the tangent of its result from those of its operands; undefined where it is zero. */
const pushforwards: { readonly [T in Tag]: (node: NodeOf<T>, y: AnyTensor, tangentOf: TangentOf) => AnyTensor | undefined } = {
  broadcast: ({ x }, y, t) => onlyX(x, y, t),
  sum: ({ x }, y, t) => onlyX(x, y, t),
  slice: ({ x }, y, t) => onlyX(x, y, t),
  pad: ({ x }, y, t) => onlyX(x, y, t),
  flip: ({ x }, y, t) => onlyX(x, y, t),
  split: ({ x }, y, t) => onlyX(x, y, t),
  merge: ({ x }, y, t) => onlyX(x, y, t),
  concat: ({ parts, axis }, _y, tangentOf) => {
    const [first, ...others] = parts.map((part) => tangentOf(part) ?? build.filled(0, part))
    return first && parts.some((part) => tangentOf(part) !== undefined) ? build.concat(axis)(first, ...others) : undefined
  },
  rename: ({ x }, y, t) => onlyX(x, y, t),
  // A place that is not there does not change with x, and its tangent is 0; `gather` alone would make it NaN.
  gather: ({ x, ids, axis }, y, tangentOf) => {
    const tangent = onlyX(x, y, tangentOf)
    return tangent && build.select(inside(ids, sizeAlong(x, axis)), tangent, 0)
  },
  scatterAdd: ({ x }, y, t) => onlyX(x, y, t),
  scatterSet: ({ x, ids, values, axis }, _y, tangentOf) => {
    const [old, put] = [tangentOf(x), tangentOf(values)]
    return (old ?? put) && build.scatterSet(axis, ids)(old ?? build.filled(0, x), put ?? 0)
  },
  contract: ({ x, y: other, over }, _y, tangentOf) => {
    const [left, right] = [tangentOf(x), tangentOf(other)]
    const product = build.contract(...over)
    return total([left && product(left, other), right && product(x, right)])
  },
  max: (node, y, tangentOf) => {
    const tangent = tangentOf(node.x)
    return tangent && linearizations.max(node, y).forward(tangent)
  },
  min: (node, y, tangentOf) => {
    const tangent = tangentOf(node.x)
    return tangent && linearizations.min(node, y).forward(tangent)
  },
  linearRecurrence: (node, y, tangentOf) => recurrence(node, y).forward({ a: tangentOf(node.a), x: tangentOf(node.x) }),
  map: ({ op, operands }, y, tangentOf) =>
    total(
      partials[op](...operands, y).map((partial, i) => {
        const tangent = operands[i] && tangentOf(operands[i])
        return tangent === undefined || partial === 'none' ? undefined : partial(broadcastTo(y.axes)(tangent))
      }),
    ),
  custom: (node, y, tangentOf) => (node.vjp === undefined ? tangentOf(node.x) : transposedVjp(node, y, tangentOf)),
  checkpoint: ({ x }, _y, tangentOf) => tangentOf(x),
  barrier: ({ x }, _y, tangentOf) => tangentOf(x),
  argMax: nothing,
  argMin: nothing,
  argSort: nothing,
  input: nothing,
  constant: nothing,
  iota: nothing,
  extent: nothing,
  stopGradient: nothing,
  invalid: nothing,
}

/** The tangents of the results, given those of the sources. Each has the axis order of what it is the tangent of. */
export const tangents = (results: readonly AnyTensor[], sources: readonly (readonly [AnyTensor, AnyTensor])[]): readonly AnyTensor[] => {
  const flow = new Map<Node, AnyTensor>(sources.map(([source, tangent]) => [source.node, broadcastTo(source.axes)(tangent)]))
  const tangentOf: TangentOf = (x) => (x.dtype === 'f32' ? flow.get(x.node) : undefined)
  for (const y of topological(results)) {
    if (flow.has(y.node) || y.dtype !== 'f32') continue
    const row = pushforwards[y.node.tag] as (node: Node, y: AnyTensor, tangentOf: TangentOf) => AnyTensor | undefined
    const tangent = row(y.node, y, tangentOf)
    if (tangent !== undefined) flow.set(y.node, broadcastTo(y.axes)(tangent))
  }
  return results.map((y) => tangentOf(y) ?? build.filled(0, y))
}
