import { pipe } from 'fp-ts/lib/function.js'
import { lessEqual, max, minOver, select, type Tensor } from '../../dsl/index.js'
import type { GroupOptions } from '../groups.js'
import { groupMembers, ofMember } from './group-members.js'

/**
 * The rows whose group has one reward alone, over and over: all right or all wrong, so that every advantage is 0. Their share tells how
 * much of a batch is wasted, and a batch may be sampled again without them. Exact: no tolerance. A group of one or of none is uniform.
 * Axes: `batch`. No gradient. Source: dynamic sampling, DAPO, arXiv:2503.14476, section 3.2.
 */
export const uniformGroups = (
  rewards: Tensor<'batch'>,
  group: Tensor<'batch', 'i32'>,
  { valid }: Pick<GroupOptions<'batch'>, 'valid'> = {},
): Tensor<'batch', 'bool'> => {
  const members = groupMembers(group, valid)
  const most = pipe(select(members, ofMember(rewards), -Infinity), max('member'))
  const least = pipe(select(members, ofMember(rewards), Infinity), minOver('member'))
  return lessEqual(most, least)
}
