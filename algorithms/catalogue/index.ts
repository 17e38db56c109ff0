import { named } from './entry.js'
import { dpoLosses, otherPreferenceLosses } from './preference-losses.js'
import { responseLosses } from './response-losses.js'
import { selectiveLosses } from './selective-losses.js'
import { tokenLosses } from './token-losses.js'
import { wholeLosses } from './whole-losses.js'

export type { Declared, LibraryLoss } from './entry.js'

/**
 * Every loss of the library by name, under settings of its paper or of a system that has it, with what it reads and what it declares:
 * `axgrad check grpo` and `axgrad inspect grpo` take these names.
 */
export const catalogue = named({
  ...tokenLosses,
  ...responseLosses,
  ...selectiveLosses,
  ...wholeLosses,
  ...dpoLosses,
  ...otherPreferenceLosses,
})

export type LossName = keyof typeof catalogue
