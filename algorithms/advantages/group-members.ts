import { pipe } from 'fp-ts/lib/function.js'
import { and, broadcast, equal, iota, type Num, not, rename, sizeAlong, type Tensor } from '../../dsl/index.js'

type Pairs = 'batch' | 'member'

/** x of the other row of each pair. */
export const ofMember = <D extends Num | 'bool'>(x: Tensor<'batch', D>): Tensor<'member', D> => pipe(x, rename({ batch: 'member' }))

const beside = <D extends Num>(x: Tensor<'batch', D>): Tensor<Pairs, D> => pipe(x, broadcast({ member: sizeAlong('batch')(x) }))

/** Which pairs of rows are of one group: each row with every member that counts, itself too. As many pairs as rows times rows. */
export const groupMembers = (group: Tensor<'batch', 'i32'>, valid?: Tensor<'batch', 'bool'>): Tensor<Pairs, 'bool'> => {
  const same = equal(beside(group), ofMember(group))
  return valid === undefined ? same : and(same, ofMember(valid))
}

/** Which pairs are of two rows of one group. */
export const otherMembers = (group: Tensor<'batch', 'i32'>, valid?: Tensor<'batch', 'bool'>): Tensor<Pairs, 'bool'> => {
  const row = iota('batch', sizeAlong('batch')(group))
  return and(groupMembers(group, valid), not(equal(beside(row), ofMember(row))))
}
