import type { Value } from '../dsl/index.js'

/** Whether a place in a tree of values is a leaf. */
export const isValue = (tree: unknown): tree is Value => typeof tree === 'object' && tree !== null && 'data' in tree
