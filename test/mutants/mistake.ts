import { type AnyTensor, build } from '../../dsl/index.js'

/** What a person gets wrong in a derivative. */
export const kinds = [
  'dropped', // a term, a factor, a condition
  'negated',
  'doubled',
  'swapped', // what one operand gets goes to the other
  'added', // a derivative where there is none
  'stopped', // right at first order alone
  'unstopped', // what is stopped flows
  'unsummed', // one of those that were to be added up
  'averaged', // the mean in place of the sum
  'multiplied', // a mask that multiplies instead of selecting
  'tied', // ties split otherwise, or decided otherwise
  'moved', // one place off, or not moved at all
  'reversed', // the other way round along an axis
  'other', // another function
] as const

export type Kind = (typeof kinds)[number]

/** A wrong formula in place of a right one, with the same axes and type. */
export interface Mistake {
  readonly kind: Kind
  readonly what: string
  readonly made: AnyTensor
}

export const mistake = (kind: Kind, what: string, made: AnyTensor): Mistake => ({ kind, what, made })

const { binary, map } = build

/** x with a factor. */
export const negated = (x: AnyTensor): AnyTensor => map('neg', x)
export const doubled = (x: AnyTensor): AnyTensor => binary('mul')(x, 2)

/** What nobody stopped. */
export const nowhere = { file: '(mutant)', line: 0, column: 0 }
export const stopped = (x: AnyTensor): AnyTensor => build.stopGradient(x, nowhere)
