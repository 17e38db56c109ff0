import type { AnyTensor, Node, NodeOf } from '../../dsl/index.js'
import type { Access, Statement } from '../loop-ir.js'
import type { Building } from './building.js'
import { contract, type Fold, max, min, sum } from './fold.js'
import { scatterAdd, scatterSet } from './indexing.js'
import { extremePlace, sortedPlaces } from './order.js'
import type { Place } from './place.js'
import { linearRecurrence } from './recurrence.js'

type FoldTag = 'sum' | 'max' | 'min' | 'argMax' | 'argMin' | 'contract'

const folds: { readonly [T in FoldTag]: (b: Building, node: NodeOf<T>, y: AnyTensor) => Fold } = {
  sum,
  max,
  min,
  argMax: extremePlace,
  argMin: extremePlace,
  contract,
}

/** What folds into one value a row; undefined of what does not. */
export const foldOf = (b: Building, y: AnyTensor): Fold | undefined =>
  (folds as { readonly [T in Node['tag']]?: (b: Building, node: Node, y: AnyTensor) => Fold })[y.node.tag]?.(b, y.node, y)

type BlockTag = 'argSort' | 'linearRecurrence' | 'scatterAdd' | 'scatterSet'

/** What has loops of its own, in which it stores. */
interface Block<T extends BlockTag> {
  readonly access: Access
  readonly body: (b: Building, node: NodeOf<T>, y: AnyTensor, place: Place) => readonly Statement[]
}

const blocks: { readonly [T in BlockTag]: Block<T> } = {
  argSort: { access: 'write', body: sortedPlaces },
  linearRecurrence: { access: 'write', body: linearRecurrence },
  scatterAdd: { access: 'readWrite', body: scatterAdd },
  scatterSet: { access: 'write', body: scatterSet },
}

/** A block of any node; its body takes the node that it was found for. */
type AnyBlock = Pick<Block<BlockTag>, 'access'> & {
  readonly body: (b: Building, node: Node, y: AnyTensor, place: Place) => readonly Statement[]
}

export const blockOf = ({ tag }: Node): AnyBlock | undefined => (blocks as unknown as { readonly [T in Node['tag']]?: AnyBlock })[tag]
