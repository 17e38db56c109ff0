import { type CallSite, languageCallSite } from '../call-site.js'
import type { GraphError } from '../errors.js'
import { type Node, operandsOf, withOperands } from '../node.js'
import { type AnyTensor, axisNames, tensor } from '../tensor.js'
import { checked } from './checked.js'

export const stopGradient = (x: AnyTensor, at: CallSite = languageCallSite()): AnyTensor =>
  tensor(x.dtype, x.axes, { tag: 'stopGradient', x, at })

/** A tensor of its own that is equal to x: what a derivative is taken with respect to. */
export const alias = (x: AnyTensor): AnyTensor => tensor(x.dtype, x.axes, { tag: 'rename', x, names: {} })

/** Those of the tensors that x is made of, and not only by way of others of them. */
const usedBy = (x: AnyTensor, given: readonly AnyTensor[]): readonly AnyTensor[] => {
  const wanted = new Set(given.map(({ node }) => node))
  const unmet = new Set(wanted)
  const seen = new Set<Node>()
  const stack = [x.node]
  for (let node = stack.pop(); node !== undefined && unmet.size > 0; node = stack.pop()) {
    if (seen.has(node)) continue
    seen.add(node)
    unmet.delete(node)
    if (!wanted.has(node)) stack.push(...operandsOf(node).map((operand) => operand.node))
  }
  return given.filter(({ node }) => !unmet.has(node))
}

/** x, which reverse mode makes again from `given`, the aliases of its arguments; what x is not made of is left out. */
export const checkpoint = (x: AnyTensor, given: readonly AnyTensor[]): AnyTensor =>
  tensor(x.dtype, x.axes, { tag: 'checkpoint', x, given: usedBy(x, given) })

/** A tensor equal to x, of which nothing is made before the others are: an expression over it is not the one over x. */
export const barrier = (x: AnyTensor, after: readonly AnyTensor[]): AnyTensor => tensor(x.dtype, x.axes, { tag: 'barrier', x, after })

/** What cannot be made: a tensor like y that carries the error. */
export const refused = (y: AnyTensor, error: GraphError): AnyTensor =>
  tensor(y.dtype, y.axes, { tag: 'invalid', errors: [error], operands: [y] })

/** x, which must have just these axes; for bodies whose axes TypeScript cannot follow. */
export const ascribe =
  (expected: readonly string[]) =>
  (x: AnyTensor): AnyTensor => {
    const given = axisNames(x)
    const agree = given.length === expected.length && given.every((name) => expected.includes(name))
    return agree ? x : checked([{ tag: 'axesDiffer', op: 'sameAxesAs', expected, given }], [], [x], x.dtype, x.axes, () => x.node)
  }

/** x made again over other operands; x itself where they are its own. */
export const over = (x: AnyTensor, f: (operand: AnyTensor) => AnyTensor): AnyTensor =>
  operandsOf(x.node).every((operand) => f(operand) === operand) ? x : tensor(x.dtype, x.axes, withOperands(x.node, f), x.demands)
