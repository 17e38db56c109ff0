import type { AnyTensor, NodeOf, Tag } from '../dsl/index.js'
import { customShares } from './custom.js'
import { linearizations, recurrence } from './linearizations.js'
import { partials } from './partials.js'
import { type Shares, summedTo, transposes } from './transposes.js'

const nothing = (): Shares => []

/** For each node, where the cotangent of its result goes: read off the three tables. */
const pullbacks: { readonly [T in Tag]: (ct: AnyTensor, node: NodeOf<T>, y: AnyTensor) => Shares } = {
  ...transposes,
  max: (ct, node, y) => [[node.x, linearizations.max(node, y).backward(ct)]],
  min: (ct, node, y) => [[node.x, linearizations.min(node, y).backward(ct)]],
  linearRecurrence: (ct, node, y) => {
    const { a, x } = recurrence(node, y).backward(ct)
    return [
      [node.a, summedTo(node.a, a)],
      [node.x, x],
    ]
  },
  map: (ct, { op, operands }, y) =>
    partials[op](...operands, y).flatMap((partial, i) => {
      const operand = operands[i]
      return operand === undefined || partial === 'none' ? [] : [[operand, summedTo(operand, partial(ct))] as const]
    }),
  custom: customShares,
  checkpoint: (ct, { x }) => [[x, ct]],
  barrier: (ct, { x }) => [[x, ct]],
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

/** Where the cotangent `ct` of y goes. */
export type Pullback = (ct: AnyTensor, y: AnyTensor) => Shares

export const pullback: Pullback = (ct, y) =>
  (pullbacks[y.node.tag] as (ct: AnyTensor, node: AnyTensor['node'], y: AnyTensor) => Shares)(ct, y.node, y)
