import { languageCallSite } from '../call-site.js'
import type { GraphError } from '../errors.js'
import type { NodeOf } from '../node.js'
import { isShare, type Rule, type Share, traced } from '../rule.js'
import { type AnyTensor, axesMissingFrom, axisNames, tensor } from '../tensor.js'
import { topological } from '../walk.js'
import { both, checked, fault, type Findings, nothing, sharedSizes } from './checked.js'
import { parameter } from './sources.js'

/** A function of tensors, and what its derivative is in place of the body's own. */
export interface CustomParts {
  readonly name: string
  readonly forward: (...xs: readonly AnyTensor[]) => AnyTensor
  readonly vjp?: (ct: AnyTensor, y: AnyTensor, ...xs: readonly AnyTensor[]) => readonly Share[]
}

/** A cotangent has the type and the axes of what it belongs to; what is no float has none. */
const shareFaults = (op: string, x: AnyTensor, share: Share): Findings => {
  if (!isShare(share)) return nothing
  if (x.dtype !== 'f32') return fault({ tag: 'typesDoNotFit', op, takes: `'none' for an operand that is ${x.dtype}`, given: [share.dtype] })
  const sameAxes = axesMissingFrom(x, share).length + axesMissingFrom(share, x).length === 0
  return both(
    share.dtype === 'f32' ? nothing : fault({ tag: 'typesDoNotFit', op, takes: 'f32', given: [share.dtype] }),
    sameAxes ? nothing : fault({ tag: 'axesDiffer', op, expected: axisNames(x), given: axisNames(share) }),
    sharedSizes(op, x, share),
  )
}

const ruleFaults = (op: string, y: AnyTensor, xs: readonly AnyTensor[], shares: readonly Share[]): Findings =>
  both(
    y.dtype === 'f32' ? nothing : fault({ tag: 'typesDoNotFit', op, takes: 'f32, to have a derivative', given: [y.dtype] }),
    shares.length === xs.length ? nothing : fault({ tag: 'cotangentsMissing', op, operands: xs.length, given: shares.length }),
    ...xs.slice(0, shares.length).map((x, i) => shareFaults(`${op}, cotangent ${String(i)}`, x, shares[i]!)),
  )

/** What is wrong inside a rule, which no walk over the graph meets. */
const errorsWithin = ({ results }: Rule): readonly GraphError[] =>
  topological(results.filter(isShare)).flatMap(({ node }) => (node.tag === 'invalid' ? node.errors : []))

/** forward(…xs) under a name. With a vjp, that is its derivative: it is traced once, on a cotangent, a result and operands of its own. */
export const custom =
  ({ name, forward, vjp }: CustomParts) =>
  (...xs: readonly AnyTensor[]): AnyTensor => {
    const x = forward(...xs)
    const region: NodeOf<'custom'> = { tag: 'custom', name, x, given: xs, at: languageCallSite() }
    if (vjp === undefined) return tensor(x.dtype, x.axes, region)
    const [ct, y] = [parameter('ct', x), parameter('y', x)]
    const operands = xs.map((operand, i) => parameter(`x${String(i)}`, operand))
    const { rule, closedOver } = traced([ct, y, ...operands], vjp(ct, y, ...operands))
    const given = [...xs, ...closedOver]
    const { faults, needs } = ruleFaults(`custom '${name}'`, x, xs, rule.results)
    const made = checked(faults, needs, [x, ...given], x.dtype, x.axes, () => ({ ...region, given, vjp: rule }))
    const inner = errorsWithin(rule)
    const own = made.node.tag === 'invalid' ? made.node.errors : []
    return inner.length === 0 ? made : tensor(x.dtype, x.axes, { tag: 'invalid', errors: [...inner, ...own], operands: [x, ...given] })
  }
