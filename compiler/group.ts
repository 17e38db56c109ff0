import { type AnyTensor, madeOf, type Node, type Tag, topological } from '../dsl/index.js'
import { dear } from './dear.js'
import { areOutermost, nominalCount } from './rows.js'

/** What a kernel may be. */
export interface Limits {
  /** Buffers it may have bound, the one that it writes among them: a limit of the device. */
  readonly storageBuffers: number
  /** Nodes that it may compute in place. What is larger is cut, which also bounds the lowering's recursion; 1 fuses nothing. */
  readonly fusedNodes: number
}

/** What every WebGPU device has. */
export const baseline: Limits = { storageBuffers: 8, fusedNodes: 512 }

/** Why a tensor is written to memory rather than computed where it is read. */
export type Reason =
  | 'result'
  | 'reduction'
  | 'recurrence'
  | 'sort'
  | 'scatter'
  | 'operand of a contraction'
  | 'operand of a sort'
  | 'argument of a checkpoint'
  | 'too dear to repeat'
  | 'too many buffers'
  | 'too large'

/** What has loops of its own is always made, for the reason given; everything else can be computed where it is read. */
type Role = 'given' | 'pointwise' | 'movement' | 'source' | { readonly made: Reason }

const roles: { readonly [T in Tag]: Role } = {
  input: 'given',
  constant: 'source',
  iota: 'source',
  extent: 'source',
  map: 'pointwise',
  broadcast: 'movement',
  sum: { made: 'reduction' },
  max: { made: 'reduction' },
  min: { made: 'reduction' },
  argMax: { made: 'reduction' },
  argMin: { made: 'reduction' },
  argSort: { made: 'sort' },
  contract: { made: 'reduction' },
  linearRecurrence: { made: 'recurrence' },
  gather: 'movement',
  scatterAdd: { made: 'scatter' },
  scatterSet: { made: 'scatter' },
  slice: 'movement',
  pad: 'movement',
  flip: 'movement',
  concat: 'movement',
  split: 'movement',
  merge: 'movement',
  rename: 'movement',
  stopGradient: 'movement',
  custom: 'movement',
  checkpoint: 'movement',
  barrier: 'movement',
  invalid: 'source',
}

/**
 * What wants its operands in memory: because it reads each element many times, and arithmetic there would be done as often; or because
 * nothing else is to be kept until it is read.
 */
const rereads: { readonly [T in Tag]?: Reason } = {
  contract: 'operand of a contraction',
  argSort: 'operand of a sort',
  barrier: 'argument of a checkpoint',
}

/** What is made so often for one element is made once. */
const often = 16

/**
 * Whether y, which reads x along more axes, would compute each element of it again and again. Where the axes of x are the outer ones of
 * y, it is computed before the inner loops; a single number is computed before all.
 */
const isRepeated = (x: AnyTensor, y: AnyTensor): boolean =>
  x.axes.length > 0 && nominalCount(y.axes) >= often * nominalCount(x.axes) && !areOutermost(x.axes, y)

interface Fused {
  /** The buffers that computing it in place reads. */
  readonly leaves: ReadonlySet<Node>
  readonly nodes: number
  /** No arithmetic: reading it is an index computation. */
  readonly trivial: boolean
  readonly dear: boolean
}

/**
 * Which tensors are made, each by a kernel of its own, and why: what has loops of its own, results, operands that are read many times
 * and cost arithmetic, and what keeps a kernel within the device's limits. Everything else is computed where it is read.
 */
export const group = (roots: readonly AnyTensor[], limits: Limits): ReadonlyMap<Node, Reason> => {
  const order = topological(roots)
  const made = new Map<Node, Reason>()
  const results = new Set(roots.map(({ node }) => node))
  // What is made late may be read by what was looked at before it, so the pass is repeated until it makes nothing new.
  for (let before = -1; before < made.size;) {
    before = made.size
    pass(order, results, limits, made)
  }
  return made
}

const none: ReadonlySet<Node> = new Set()

/** One that holds the other is their union. */
const union = (a: ReadonlySet<Node>, b: ReadonlySet<Node>): ReadonlySet<Node> => {
  const [large, small] = a.size < b.size ? [b, a] : [a, b]
  for (const node of small) if (!large.has(node)) return new Set([...large, ...small])
  return large
}

const pass = (order: readonly AnyTensor[], results: ReadonlySet<Node>, limits: Limits, made: Map<Node, Reason>): void => {
  const fused = new Map<Node, Fused>()
  const make = ({ node }: AnyTensor, reason: Reason): void => {
    if (roles[node.tag] === 'given') return
    if (!made.has(node)) made.set(node, reason)
    fused.set(node, { leaves: new Set([node]), nodes: 0, trivial: true, dear: false })
  }
  const of = ({ node }: AnyTensor): Fused => fused.get(node) ?? { leaves: new Set(), nodes: 0, trivial: true, dear: false }
  const join = (operands: readonly AnyTensor[]): Fused => ({
    leaves: operands.map((x) => of(x).leaves).reduce(union, none),
    nodes: operands.reduce((n, x) => n + of(x).nodes, 1),
    trivial: operands.every((x) => of(x).trivial),
    dear: operands.some((x) => of(x).dear),
  })
  const fuse = ({ node }: AnyTensor, { leaves, nodes, trivial, dear: isDear }: Fused): unknown => {
    const role = roles[node.tag]
    const own = role === 'given' || role === 'source'
    return fused.set(node, {
      leaves: role === 'given' ? new Set([node]) : leaves,
      nodes: own ? 0 : nodes,
      trivial: trivial && role !== 'pointwise',
      dear: isDear || (node.tag === 'map' && dear[node.op] === true),
    })
  }
  /** Make an operand, or what in it has most buffers and is small beside it: then what is in between is fused anew. */
  const cut = (operand: AnyTensor, reason: Reason): void => {
    const inside = topological([operand], (x) => (of(x).nodes > 0 ? madeOf(x.node) : [])).filter((x) => of(x).nodes > 0)
    const isSmall = ({ axes }: AnyTensor): boolean => often * nominalCount(axes) <= nominalCount(operand.axes)
    const [small] = inside
      .filter((x) => of(x).leaves.size > 1 && isSmall(x))
      .toSorted((a, b) => of(b).leaves.size - of(a).leaves.size || nominalCount(a.axes) - nominalCount(b.axes))
    make(small ?? operand, reason)
    if (small !== undefined) for (const x of inside) if (!made.has(x.node)) fuse(x, join(madeOf(x.node)))
  }
  for (const x of order) {
    const { node } = x
    const operands = madeOf(node)
    const reread = rereads[node.tag]
    if (reread !== undefined) for (const operand of operands) if (!of(operand).trivial) make(operand, reread)
    for (const operand of operands) if (of(operand).dear && isRepeated(operand, x)) make(operand, 'too dear to repeat')
    let all = join(operands)
    for (;;) {
      const { leaves, nodes } = all
      const crowded = leaves.size >= limits.storageBuffers
      if (!crowded && nodes <= limits.fusedNodes) break
      const [worst] = operands
        .filter((operand) => of(operand).nodes > 0)
        .toSorted((a, b) => of(b).leaves.size - of(a).leaves.size || of(b).nodes - of(a).nodes)
      if (worst === undefined) break
      cut(worst, crowded ? 'too many buffers' : 'too large')
      all = join(operands)
    }
    fuse(x, all)
    const role = roles[node.tag]
    const reason = made.get(node) ?? (results.has(node) ? 'result' : typeof role === 'object' ? role.made : undefined)
    if (reason !== undefined) make(x, reason)
  }
}
