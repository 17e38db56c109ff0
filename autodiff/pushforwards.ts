import { type AnyTensor, build, type NodeOf, type Tag } from '../dsl/index.js'
import { inert } from './inert.js'
import { linearizations, recurrence } from './linearizations.js'
import { partials, type PartialsTable } from './partials.js'
import { type Pullbacks, pullbacks } from './pullbacks.js'
import { transposedVjp } from './transposed.js'
import { inside, sizeAlong } from './transposes.js'

const { binary, broadcastTo, over } = build

/** The tangent of an operand; undefined where it is zero. */
export type TangentOf = (x: AnyTensor) => AnyTensor | undefined

const total = (parts: readonly (AnyTensor | undefined)[]): AnyTensor | undefined =>
  parts.reduce((sum, part) => (sum === undefined || part === undefined ? (sum ?? part) : binary('add')(sum, part)), undefined)

/** A node that is linear in x alone: the same node on the tangent. */
const linear = ({ x }: { readonly x: AnyTensor }, y: AnyTensor, tangentOf: TangentOf): AnyTensor | undefined => {
  const tangent = tangentOf(x)
  return tangent && over(y, (operand) => (operand === x ? tangent : operand))
}

/** The tangent of y from those of its operands; undefined where it is zero. */
export type Pushforward<T extends Tag> = (node: NodeOf<T>, y: AnyTensor, tangentOf: TangentOf) => AnyTensor | undefined

export type Pushforwards = { readonly [T in Tag]: Pushforward<T> }

/**
 * For each node, the tangent of its result. A linear node is its own derivative; the others are read off the two tables that are left,
 * and off the pullbacks, whose transpose a custom derivative is.
 */
export const pushforwardsFrom = (table: PartialsTable, back: Pullbacks): Pushforwards => ({
  ...inert,
  broadcast: linear,
  sum: linear,
  slice: linear,
  pad: linear,
  flip: linear,
  split: linear,
  merge: linear,
  concat: ({ parts, axis }, _y, tangentOf) => {
    const [first, ...others] = parts.map((part) => tangentOf(part) ?? build.filled(0, part))
    return first && parts.some((part) => tangentOf(part) !== undefined) ? build.concat(axis)(first, ...others) : undefined
  },
  rename: linear,
  // A place that is not there does not change with x, and its tangent is 0; `gather` alone would make it NaN.
  gather: (node, y, tangentOf) => {
    const tangent = linear(node, y, tangentOf)
    return tangent && build.select(inside(node.ids, sizeAlong(node.x, node.axis)), tangent, 0)
  },
  scatterAdd: linear,
  scatterSet: ({ x, ids, values, axis }, _y, tangentOf) => {
    const [old, put] = [tangentOf(x), tangentOf(values)]
    return (old ?? put) && build.scatterSet(axis, ids)(old ?? build.filled(0, x), put ?? 0)
  },
  contract: ({ x, y: other, over: names }, _y, tangentOf) => {
    const [left, right] = [tangentOf(x), tangentOf(other)]
    const product = build.contract(...names)
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
      table[op](...operands, y).map((partial, i) => {
        const tangent = operands[i] && tangentOf(operands[i])
        return tangent === undefined || partial === 'none' ? undefined : partial(broadcastTo(y.axes)(tangent))
      }),
    ),
  custom: (node, y, tangentOf) => (node.vjp === undefined ? tangentOf(node.x) : transposedVjp(node, y, tangentOf, back)),
  checkpoint: ({ x }, _y, tangentOf) => tangentOf(x),
  barrier: ({ x }, _y, tangentOf) => tangentOf(x),
})

/** Those of the language. Sweeps take others to test what tests gradients. */
export const pushforwards: Pushforwards = pushforwardsFrom(partials, pullbacks)
