import { type Plan, tile } from '../../compiler/index.js'

/** The side of the square of outputs that one invocation of a contraction makes: 16 sums, which every driver keeps in registers. */
const side = 4

/** A plan as this device runs it. */
export const inTiles = <I, S, O>(plan: Plan<I, S, O>): Plan<I, S, O> => tile(plan, side)
