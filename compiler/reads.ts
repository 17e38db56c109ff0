import { type AnyTensor, madeOf, type Node, type NodeOf, renamed, type Tag, topological } from '../dsl/index.js'
import { mannerOf, nominalCount, reducedAxes } from './rows.js'

/** The axis of x along which an operand is read at the place of x, for an axis of the operand; undefined where it is read elsewhere. */
type Follow<T extends Tag> = (node: NodeOf<T>, axis: string, operand: number) => string | undefined

/** Every axis that the operand shares is followed; those that x has not are loops of its own. */
const same = (_node: unknown, axis: string): string => axis

const butAlong = ({ axis: moved }: { readonly axis: string }, axis: string): string | undefined => (axis === moved ? undefined : axis)

const follows: { readonly [T in Tag]: Follow<T> } = {
  input: same,
  constant: same,
  iota: same,
  extent: same,
  map: same,
  broadcast: same,
  sum: same,
  max: same,
  min: same,
  argMax: same,
  argMin: same,
  argSort: butAlong,
  contract: same,
  linearRecurrence: butAlong,
  gather: (node, axis, operand) => (operand === 0 ? butAlong(node, axis) : axis),
  scatterAdd: butAlong,
  scatterSet: butAlong,
  slice: butAlong,
  pad: butAlong,
  flip: butAlong,
  concat: butAlong,
  split: butAlong,
  merge: ({ outer, inner }, axis) => (axis === outer || axis === inner ? undefined : axis),
  rename: ({ names }, axis) => renamed(names)(axis),
  stopGradient: same,
  custom: same,
  checkpoint: same,
  barrier: same,
  invalid: same,
}

/** For each axis of a tensor, the axis of the reader along which it lies where the reader is; undefined stands for every axis, by its own name. */
type Origins = ReadonlyMap<string, string | undefined> | undefined

const originOf = (origins: Origins, axis: string): string | undefined => (origins === undefined ? axis : origins.get(axis))

const originsThrough = (x: AnyTensor, origins: Origins, operand: AnyTensor, place: number): Origins => {
  const follow = follows[x.node.tag] as Follow<Tag>
  if (origins === undefined && follow === same) return undefined
  const found = operand.axes.map(({ name }) => {
    const own = follow(x.node, name, place)
    return [name, own === undefined ? undefined : originOf(origins, own)] as const
  })
  return found.every(([name, origin]) => name === origin) ? undefined : new Map(found)
}

/** Where all readers agree. */
const both = (p: Origins, q: Origins, { axes }: AnyTensor): Origins =>
  p === q ? p : new Map(axes.map(({ name }) => [name, originOf(p, name) === originOf(q, name) ? originOf(p, name) : undefined]))

/** What the kernel of one tensor reads. */
export interface Reads {
  /** What it computes: the tensor itself and what is fused into it. */
  readonly computes: readonly AnyTensor[]
  readonly buffers: ReadonlyMap<Node, Read>
  /** What must have been made before it, though it is not read. */
  readonly waits: ReadonlySet<Node>
}

export interface Read {
  readonly tensor: AnyTensor
  /** The axes along which the reader reads it, in every place of its expression, where it is itself. */
  readonly aligned: ReadonlySet<string>
  /** How many of its elements are read, at most; open sizes taken for one number. */
  readonly elements: number
}

/** What a tensor reads, if whatever is in a buffer is read from there and everything else is computed in place. */
export const readsOf = (y: AnyTensor, isBuffer: (node: Node) => boolean): Reads => {
  const isRead = (x: AnyTensor): boolean => x !== y && isBuffer(x.node)
  const until = (isEnd: (x: AnyTensor) => boolean, roots: readonly AnyTensor[]): readonly AnyTensor[] =>
    topological(roots, (x) => (isEnd(x) ? [] : madeOf(x.node)))
  const order = until(isRead, [y])
  const origins = new Map<Node, Origins>([[y.node, undefined]])
  for (const x of order.toReversed()) {
    if (isRead(x)) continue
    const own = origins.get(x.node)
    madeOf(x.node).forEach((operand, place) => {
      const through = originsThrough(x, own, operand, place)
      const { node } = operand
      origins.set(node, origins.has(node) ? both(origins.get(node), through, operand) : through)
    })
  }
  const turns = nominalCount([...y.axes, ...(mannerOf(y.node) === 'pointwise' ? [] : reducedAxes(y))])
  const buffers = order.filter(isRead).map((tensor): [Node, Read] => {
    const names = tensor.axes.map(({ name }) => name)
    const aligned = new Set(names.filter((name) => originOf(origins.get(tensor.node), name) === name))
    return [tensor.node, { tensor, aligned, elements: Math.min(nominalCount(tensor.axes), turns) }]
  })
  const computes = order.filter((x) => !isRead(x))
  const awaited = computes.flatMap(({ node }) => (node.tag === 'barrier' ? node.after : []))
  const waits = until(({ node }) => isBuffer(node), awaited).filter(({ node }) => isBuffer(node))
  return { computes, buffers: new Map(buffers), waits: new Set(waits.map(({ node }) => node)) }
}
