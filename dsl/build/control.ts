import { type CallSite, languageCallSite } from '../call-site.js'
import type { GraphError } from '../errors.js'
import { withOperands } from '../node.js'
import { type AnyTensor, axisNames, tensor } from '../tensor.js'
import { checked } from './checked.js'

export const stopGradient = (x: AnyTensor, at: CallSite = languageCallSite()): AnyTensor =>
  tensor(x.dtype, x.axes, { tag: 'stopGradient', x, at })

/** A tensor of its own that is equal to x: what a derivative is taken with respect to. */
export const alias = (x: AnyTensor): AnyTensor => tensor(x.dtype, x.axes, { tag: 'rename', x, names: {} })

/** What cannot be made: a tensor like y that carries the error. */
export const refused = (y: AnyTensor, error: GraphError): AnyTensor =>
  tensor(y.dtype, y.axes, { tag: 'invalid', errors: [error], operands: [] })

/** x, which must have just these axes; for bodies whose axes TypeScript cannot follow. */
export const ascribe =
  (expected: readonly string[]) =>
  (x: AnyTensor): AnyTensor => {
    const given = axisNames(x)
    const agree = given.length === expected.length && given.every((name) => expected.includes(name))
    return agree ? x : checked([{ tag: 'axesDiffer', op: 'sameAxesAs', expected, given }], [], [x], x.dtype, x.axes, () => x.node)
  }

/** x made again over other operands. */
export const over = (x: AnyTensor, f: (operand: AnyTensor) => AnyTensor): AnyTensor =>
  tensor(x.dtype, x.axes, withOperands(x.node, f), x.demands)
