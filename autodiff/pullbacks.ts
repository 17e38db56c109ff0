import type { AnyTensor, Node, NodeOf, Tag } from '../dsl/index.js'
import { customShares } from './custom.js'
import { inert } from './inert.js'
import { linearizations, recurrence } from './linearizations.js'
import { partials, type PartialsTable } from './partials.js'
import { type Shares, summedTo, transposes } from './transposes.js'

/** Where the cotangent `ct` of y goes. */
export type Pullback<T extends Tag> = (ct: AnyTensor, node: NodeOf<T>, y: AnyTensor) => Shares | undefined

export type Pullbacks = { readonly [T in Tag]: Pullback<T> }

/** For each node, where the cotangent of its result goes: read off the three tables, of which one is given. */
export const pullbacksFrom = (table: PartialsTable): Pullbacks => ({
  ...inert,
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
    table[op](...operands, y).flatMap((partial, i) => {
      const operand = operands[i]
      return operand === undefined || partial === 'none' ? [] : [[operand, summedTo(operand, partial(ct))] as const]
    }),
  custom: customShares,
  checkpoint: (ct, { x }) => [[x, ct]],
  barrier: (ct, { x }) => [[x, ct]],
})

/** Those of the language. Sweeps take others to test what tests gradients. */
export const pullbacks: Pullbacks = pullbacksFrom(partials)

/** To which operands a cotangent of y goes, and what each gets. */
export const sharesOf = (table: Pullbacks, ct: AnyTensor, y: AnyTensor): Shares =>
  (table[y.node.tag] as (ct: AnyTensor, node: Node, y: AnyTensor) => Shares | undefined)(ct, y.node, y) ?? []
