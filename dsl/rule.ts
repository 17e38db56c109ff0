import { over } from './build/control.js'
import { broadcastTo } from './build/movement.js'
import { parameter as parameterLike } from './build/sources.js'
import { type Node, operandsOf } from './node.js'
import type { AnyTensor } from './tensor.js'
import { rewrite, topological } from './walk.js'

/** What a rule makes for one operand: a cotangent, or none. */
export type Share = AnyTensor | 'none'

/** A function of tensors as data: its parameters are inputs, and its results are made of them and of nothing else that is given. */
export interface Rule {
  readonly parameters: readonly AnyTensor[]
  readonly results: readonly Share[]
}

/** A rule, and the tensors that stand for its last parameters: those that the function closed over. */
export interface Traced {
  readonly rule: Rule
  readonly closedOver: readonly AnyTensor[]
}

export const isShare = (share: Share): share is AnyTensor => share !== 'none'

/** The function that made these results of these parameters. What it made of other tensors alone becomes a parameter of its own. */
export const traced = (parameters: readonly AnyTensor[], results: readonly Share[]): Traced => {
  const own = new Map<Node, AnyTensor>(parameters.map((x) => [x.node, x]))
  const fixed = new Set<Node>()
  const outer = new Map<Node, { readonly of: AnyTensor; readonly parameter: AnyTensor }>()
  const parameterFor = (x: AnyTensor): AnyTensor => {
    const known = outer.get(x.node) ?? { of: x, parameter: parameterLike(`outer${String(outer.size)}`, x) }
    outer.set(x.node, known)
    return known.parameter
  }
  const closed = (x: AnyTensor): AnyTensor => own.get(x.node) ?? (fixed.has(x.node) ? x : parameterFor(x))
  for (const x of topological(results.filter(isShare))) {
    const operands = operandsOf(x.node)
    if (own.has(x.node)) continue
    if (operands.some(({ node }) => own.has(node))) own.set(x.node, over(x, closed))
    else if (x.node.tag !== 'input' && operands.every(({ node }) => fixed.has(node))) fixed.add(x.node)
  }
  const made = results.map((share) => (isShare(share) ? closed(share) : share))
  const captured = [...outer.values()]
  return {
    rule: { parameters: [...parameters, ...captured.map(({ parameter }) => parameter)], results: made },
    closedOver: captured.map(({ of }) => of),
  }
}

/** What a rule makes of these tensors, one for each parameter. */
export const applied = ({ parameters, results }: Rule, given: readonly AnyTensor[]): readonly Share[] => {
  const places = new Map<Node, AnyTensor>(parameters.map((parameter, i) => [parameter.node, broadcastTo(parameter.axes)(given[i]!)]))
  const shares = results.filter(isShare)
  const made = rewrite((x, rebuilt) => places.get(x.node) ?? over(x, rebuilt))(shares)
  return results.map((share) => (isShare(share) ? made[shares.indexOf(share)]! : share))
}
