import { ruled, type SettingError } from '../setting-error.js'
import type { Base } from './base.js'
import type { Hops } from './objectives.js'
import { mostObjectives, type SearchSettings } from './settings.js'

const splits = { train: 'to train on', heldOut: 'held out' } as const

/** The least objectives of some hops that a split of the base has, and which split that is. */
const least = ({ objectives }: Base, hops: Hops): readonly [number, keyof typeof splits] =>
  objectives.train[hops].length <= objectives.heldOut[hops].length
    ? [objectives.train[hops].length, 'train']
    : [objectives.heldOut[hops].length, 'heldOut']

/** Why a base has too little to ask for some settings: by chance all objectives of a question may take the same hops, and no two are the same. */
export const tooFew = (base: Base, { objectives, twoHops }: SearchSettings): readonly SettingError[] => {
  const most = mostObjectives(objectives)
  const [[ofOne, splitOfOne], [ofTwo, splitOfTwo]] = [least(base, 1), least(base, 2)]
  return [
    ...ruled(
      twoHops === 1 || ofOne >= most,
      'objectives',
      objectives,
      `asks for up to ${String(most)}, and of one hop there are ${String(ofOne)} ${splits[splitOfOne]} in ${base.domain.name}`,
    ),
    ...ruled(
      twoHops === 0 || ofTwo >= most,
      'twoHops',
      twoHops,
      `is 0 where there are not ${String(most)} of two hops in each split: ${String(ofTwo)} are ${splits[splitOfTwo]} in ${base.domain.name}`,
    ),
  ]
}
