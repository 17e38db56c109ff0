import { type Divided, divided, type Plan } from '../../compiler/index.js'

/** Into how many parts a fold is cut: more than a machine has cores, or results would depend on it. */
const parts = 64

/** A plan as threads go through it. */
export const inParts = <I, S, O>(plan: Plan<I, S, O>): Divided<I, S, O> => divided(plan, { partsFor: () => parts })
