import type { AnyTensor, Node, NodeOf } from '../../dsl/index.js'
import type { Access, Statement } from '../loop-ir.js'
import type { Building } from './building.js'
import { contract, max, min, sum } from './fold.js'
import { scatterAdd, scatterSet } from './indexing.js'
import { extremePlace, sortedPlaces } from './order.js'
import type { Place } from './place.js'
import { linearRecurrence } from './recurrence.js'

/** The nodes that have loops of their own, and so a kernel of their own. */
export type AnchorTag =
  'sum' | 'max' | 'min' | 'argMax' | 'argMin' | 'argSort' | 'contract' | 'linearRecurrence' | 'scatterAdd' | 'scatterSet'

export interface Anchor<T extends AnchorTag> {
  /** The axis of the result that is a loop inside; every other axis is a parallel one. */
  readonly inside: (node: NodeOf<T>) => string | undefined
  readonly access: Access
  readonly body: (b: Building, node: NodeOf<T>, y: AnyTensor, place: Place) => readonly Statement[]
}

const all = (): undefined => undefined
const butItsAxis = ({ axis }: { readonly axis: string }): string => axis

const anchors: { readonly [T in AnchorTag]: Anchor<T> } = {
  sum: { inside: all, access: 'write', body: sum },
  max: { inside: all, access: 'write', body: max },
  min: { inside: all, access: 'write', body: min },
  argMax: { inside: all, access: 'write', body: extremePlace },
  argMin: { inside: all, access: 'write', body: extremePlace },
  argSort: { inside: all, access: 'write', body: sortedPlaces },
  contract: { inside: all, access: 'write', body: contract },
  linearRecurrence: { inside: butItsAxis, access: 'write', body: linearRecurrence },
  scatterAdd: { inside: butItsAxis, access: 'readWrite', body: scatterAdd },
  scatterSet: { inside: butItsAxis, access: 'write', body: scatterSet },
}

/** An anchor of any node; its functions take the node that it was found for. */
export type AnyAnchor = Anchor<AnchorTag>

export const anchorOf = (tag: Node['tag']): AnyAnchor | undefined => (anchors as { readonly [T in Node['tag']]?: AnyAnchor })[tag]
