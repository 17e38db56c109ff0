import { madeOf, type Node, type NodeOf, operandsOf, type Tag, withOperands } from '../node.js'
import type { Rule, Share } from '../rule.js'
import { type AnyTensor, type Axis, axesMissingFrom, axisNames, axisOf, tensor } from '../tensor.js'
import { topological } from '../walk.js'
import { both, checked, fault, nothing, sameSize } from './checked.js'
import { broadcastTo, rename } from './movement.js'
import { sum } from './reduction.js'
import { parameter } from './sources.js'

type Operands = readonly AnyTensor[]

const none = (): Operands => []

/** The one whose axes contain those of the others. */
const widest = (operands: Operands): Operands => operands.toSorted((a, b) => b.axes.length - a.axes.length).slice(0, 1)

/** The operands that must have every new axis of the result; the others may lack some. */
const everywhere: { readonly [T in Tag]: (node: NodeOf<T>) => Operands } = {
  map: ({ operands }) => widest(operands),
  linearRecurrence: ({ x }) => [x],
  scatterAdd: ({ x }) => [x],
  scatterSet: ({ x, values }) => [x, values],
  concat: ({ parts }) => parts,
  custom: ({ x }) => [x],
  input: none,
  constant: none,
  iota: none,
  extent: none,
  broadcast: none,
  sum: none,
  max: none,
  min: none,
  argMax: none,
  argMin: none,
  argSort: none,
  contract: none,
  gather: none,
  slice: none,
  pad: none,
  flip: none,
  split: none,
  merge: none,
  rename: none,
  stopGradient: none,
  checkpoint: none,
  barrier: none,
  invalid: none,
}

const neededBy = (node: Node): Operands => (everywhere[node.tag] as (node: Node) => Operands)(node)

const distinct = (axes: readonly Axis[]): readonly Axis[] =>
  axes.filter(({ name }, i) => axes.findIndex((axis) => axis.name === name) === i)

const sharesOf = (rule: Rule | undefined): Operands => rule?.results.filter((share) => share !== 'none') ?? []

/** A rule for wider operands. A cotangent of an operand that is no wider is summed over what the result has more. */
const wideRule = ({ parameters, results }: Rule, given: Operands): Rule => {
  const own = parameters.map((p, i) => parameter(p.node.tag === 'input' ? p.node.path : '', { dtype: p.dtype, axes: given[i]!.axes }))
  const shares = sharesOf({ parameters, results })
  const made = widened(shares, new Map(parameters.map((p, i) => [p.node, own[i]!])))
  const fit = (share: Share, operand: AnyTensor): Share => {
    if (share === 'none') return share
    const wide = made[shares.indexOf(share)]!
    return broadcastTo(operand.axes)(sum(...axesMissingFrom(operand, wide).map(({ name }) => name))(wide))
  }
  return { parameters: own, results: results.map((share, i) => fit(share, own[i + 2]!)) }
}

/**
 * The results of a graph in which some tensors are replaced by others that have more axes. What depends on them has these axes too, and
 * is made for each of their indices alike; what does not is made once. No tensor of the graph may have an axis of their names.
 */
export const widened = (results: Operands, replaced: ReadonlyMap<Node, AnyTensor>): Operands => {
  const done = new Map<Node, AnyTensor>(replaced)
  const wide = (x: AnyTensor): AnyTensor => done.get(x.node) ?? x
  const added = (x: AnyTensor): readonly Axis[] => axesMissingFrom(x, wide(x))
  const made = (x: AnyTensor): AnyTensor => {
    const { node } = x
    const extra = distinct((node.tag === 'custom' ? operandsOf(node) : madeOf(node)).flatMap(added))
    const whole = new Set(neededBy(node).map((operand) => operand.node))
    const over = (operand: AnyTensor): AnyTensor =>
      whole.has(operand.node) ? broadcastTo([...extra, ...operand.axes])(wide(operand)) : wide(operand)
    const axes = [...extra, ...x.axes]
    const again = withOperands(node, over)
    if (again.tag !== 'custom' || again.vjp === undefined) return tensor(x.dtype, axes, again, x.demands)
    const like = { ...x, axes }
    return tensor(x.dtype, axes, { ...again, vjp: wideRule(again.vjp, [like, like, ...again.given]) }, x.demands)
  }
  for (const x of topological(results))
    if (!done.has(x.node) && operandsOf(x.node).some((operand) => done.has(operand.node))) done.set(x.node, made(x))
  return results.map(wide)
}

/** The names of all axes in a graph, inside its rules as well. */
const namesIn = (roots: Operands): readonly string[] =>
  topological(roots).flatMap((x) => [...axisNames(x), ...(x.node.tag === 'custom' ? namesIn(sharesOf(x.node.vjp)) : [])])

/** A name that none of the others is. */
const freeName = (name: string, taken: ReadonlySet<string>): string => (taken.has(name) ? freeName(`${name}′`, taken) : name)

/** x with those of its axes that have another name called by that. */
const called = (names: ReadonlyMap<string, string>, x: AnyTensor): AnyTensor => {
  const own = axisNames(x).flatMap((name) => {
    const to = names.get(name)
    return to === undefined || to === name ? [] : [[name, to] as const]
  })
  return own.length === 0 ? x : rename(Object.fromEntries(own))(x)
}

/**
 * As `widened`, each result with all the new axes, whatever the graph calls its own on the way: these get other names meanwhile. A result
 * that has an axis of a new one's name is an error of `op`.
 */
export const mapped = (op: string, results: Operands, pairs: readonly (readonly [narrow: AnyTensor, wide: AnyTensor])[]): Operands => {
  const every = pairs.flatMap(([narrow, wide]) => axesMissingFrom(narrow, wide))
  const added = distinct(every)
  const sizes = every.map(({ name, size }) => sameSize(op, name, added.find((axis) => axis.name === name)!.size, size))
  const taken = new Set(namesIn(results))
  const fresh = new Map(added.map(({ name }) => [name, freeName(name, taken)]))
  const back = new Map([...fresh].map(([name, to]) => [to, name]))
  const inFront = ([narrow, wide]: readonly [AnyTensor, AnyTensor]): AnyTensor =>
    broadcastTo([...axesMissingFrom(narrow, wide), ...narrow.axes])(wide)
  const made = widened(results, new Map(pairs.map((pair) => [pair[0].node, called(fresh, inFront(pair))])))
  return results.map((y, i) => {
    const exists = added.map(({ name }) =>
      axisOf(y, name) === undefined ? nothing : fault({ tag: 'axisExists', op, axis: name, has: axisNames(y) }),
    )
    const { faults, needs } = both(...sizes, ...exists)
    if (faults.length > 0) return checked(faults, needs, [y], y.dtype, y.axes, () => y.node)
    const whole = broadcastTo([...added, ...y.axes])(called(back, made[i]!))
    return checked([], needs, [whole], whole.dtype, whole.axes, () => whole.node)
  })
}
