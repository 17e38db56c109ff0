import { wordsOf } from '../words.js'
import { type Operator, operators } from './arithmetic.js'

const numerals = Array.from({ length: 100 }, (_, n) => n)

/** All 107 words by their ids. The id of a number from 0 to 99 is that number. */
export const { vocabulary, encode, decode } = wordsOf([...numerals.map(String), ...operators, '=', ':', '.', '<pad>'])

export const operatorIds: { readonly [O in Operator]: number } = { '+': 100, '-': 101, '*': 102 }
export const equalsId = 103
export const colonId = 104
/** The id of `.`, at which an answer ends: the stop token of a rollout. */
export const stopId = 105
/** The id of the padding after an answer. */
export const padId = 106
