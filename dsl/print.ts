import { printGraph } from './graph-text.js'
import { typeText } from './label.js'
import { givenLeaves, madeLeaves, type Program } from './program.js'

/** A program as text: what it is given, its graph, what it makes. */
export const printProgram = (p: Program<unknown, unknown, unknown>): string =>
  [...givenLeaves(p).map(({ path, value }) => `${path}: ${typeText(value)}`), printGraph(madeLeaves(p))].join('\n')
