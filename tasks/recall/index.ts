/** Digits to keep for a turn: two turns, and between them nothing but what the policy wrote. */
export { environment, type RecallSettings, type RecallState } from './environment.js'
export { decode, padId, stopId, vocabulary } from './words.js'
