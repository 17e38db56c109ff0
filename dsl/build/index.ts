/**
 * The untyped layer: total functions over any tensors, with axis names as run-time strings. The typed facade over it is
 * `algebra.ts` and `along.ts`; the tables of `autodiff/` are written in this one. A function that finds its arguments wrong
 * gives a tensor that carries the errors.
 */
export * from './control.js'
export * from './halves.js'
export * from './custom.js'
export * from './indexing.js'
export * from './movement.js'
export { ordinals } from './ordinals.js'
export * from './pointwise.js'
export * from './recurrence.js'
export * from './reduction.js'
export * from './sources.js'
export * from './widen.js'
