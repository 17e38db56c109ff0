import { partials } from '../autodiff/index.js'
import {
  type AnyTensor,
  type CallSite,
  givenLeaves,
  isOfLanguage,
  madeOf,
  type Node,
  type NodeOf,
  operandsOf,
  type Program,
  rootsOf,
  type Rule,
  showCallSite,
  topological,
} from '../dsl/index.js'

/** A function with its own derivative, and where it is used. */
export interface Passed {
  readonly name: string
  readonly at: CallSite
}

/** How a derivative reaches an input of a loss. */
export type Flow =
  /** `through` are the functions with a derivative of their own that it passes; `stops` are where other paths to the loss are stopped. */
  | { readonly tag: 'gradient'; readonly input: string; readonly through: readonly Passed[]; readonly stops: readonly CallSite[] }
  /** Every path to the loss goes through a stopGradient, or past what a custom derivative is for: these are the last of them before the loss. */
  | { readonly tag: 'stopped'; readonly input: string; readonly at: readonly CallSite[] }
  | { readonly tag: 'data'; readonly input: string; readonly because: 'type' | 'unused' | 'noDerivative' }

/** How much of an input's influence on the loss its gradient tells: all of it, or what other paths that are stopped leave. */
export type Reach = 'whole' | 'partly'

/** Undefined where no gradient reaches the input. */
export const reachOf = (flow: Flow): Reach | undefined =>
  flow.tag === 'gradient' ? (flow.stops.length === 0 ? 'whole' : 'partly') : undefined

/** A path of an input as its user writes it: without the root that all have. */
export const inputName = (path: string): string => path.replace(/^inputs\.?/, '')

const isFloat = ({ dtype }: AnyTensor): boolean => dtype === 'f32'

/** A node at which a derivative ends or is another than its operands': what is behind it, and the line. */
type Stop = NodeOf<'stopGradient'> | (NodeOf<'custom'> & { readonly vjp: Rule })

const isStop = (node: Node): node is Stop => node.tag === 'stopGradient' || (node.tag === 'custom' && node.vjp !== undefined)

/** Where the derivative goes on at such a node. */
const beyond = (node: Stop): readonly AnyTensor[] =>
  node.tag === 'stopGradient' ? [] : node.given.filter((_, i) => (node.vjp.results[i] ?? 'none') !== 'none')

/** The operands on which y depends with a derivative; `passing` says whether to take what is stopped for what it is made of. */
const differentiable = (y: AnyTensor, passing: boolean): readonly AnyTensor[] => {
  const { node } = y
  if (isStop(node)) return (passing ? operandsOf(node) : beyond(node)).filter(isFloat)
  if (node.tag !== 'map') return madeOf(node).filter(isFloat)
  const rows = partials[node.op](...node.operands, y)
  return node.operands.filter((operand, i) => isFloat(operand) && rows[i] !== 'none')
}

/** What the roots depend on with a derivative, not looking behind some of it. */
const reached = (roots: readonly AnyTensor[], passing: boolean, opaque: ReadonlySet<Node> = new Set()): ReadonlySet<Node> => {
  const found = new Set<Node>(roots.map(({ node }) => node))
  for (const y of topological(roots).toReversed())
    if (found.has(y.node)) for (const x of differentiable(y, passing)) if (!opaque.has(x.node)) found.add(x.node)
  return found
}

/** The stopped gradients that a derivative of the roots meets. */
export const stopsMet = (roots: readonly AnyTensor[]): ReadonlySet<Node> =>
  new Set([...reached(roots, false)].filter(({ tag }) => tag === 'stopGradient'))

const pathsIn = (nodes: Iterable<Node>): ReadonlySet<string> =>
  new Set([...nodes].flatMap((node) => (node.tag === 'input' ? [node.path] : [])))

/** The stops that a derivative meets, each with the inputs that are behind it, and those that it goes on to. */
const stopsAmong = (live: ReadonlySet<Node>) =>
  [...live].filter(isStop).map((node) => {
    const next = beyond(node).filter(isFloat)
    const [open, all] = [new Set(next.map((x) => x.node)), operandsOf(node).filter(isFloat)]
    const stopped = all.filter((x) => !open.has(x.node))
    return { node, behind: pathsIn(reached(stopped, true, open)), beyond: pathsIn(reached(next, false)) }
  })

/** For each input of a program, how a derivative of its outputs reaches it; read off the graph alone. */
export const gradientFlow = (p: Program<unknown, unknown, unknown>): readonly Flow[] => {
  const roots = rootsOf(p).filter(({ dtype }) => dtype === 'f32')
  const live = reached(roots, false)
  const stops = stopsAmong(live)
  const [flowing, used] = [pathsIn(live), pathsIn(topological(rootsOf(p)).map(({ node }) => node))]
  return givenLeaves(p).map(({ path, value: { dtype } }): Flow => {
    const input = inputName(path)
    if (dtype !== 'f32') return { tag: 'data', input, because: used.has(path) ? 'type' : 'unused' }
    const at = stops.flatMap(({ node, behind }) => (behind.has(path) && !isOfLanguage(node.at) ? [node.at] : []))
    if (flowing.has(path)) {
      const passed = stops.filter((stop) => stop.beyond.has(path))
      const through = passed.flatMap(({ node }) => (node.tag === 'custom' ? [{ name: node.name, at: node.at }] : []))
      return { tag: 'gradient', input, through, stops: at }
    }
    if (!used.has(path)) return { tag: 'data', input, because: 'unused' }
    return at.length > 0 ? { tag: 'stopped', input, at } : { tag: 'data', input, because: 'noDerivative' }
  })
}

const reasons = {
  type: 'data (no float)',
  unused: 'data (the loss does not use it: use it, or leave it out of the inputs)',
  noDerivative: 'data (no path to the loss has a derivative)',
}

const showCallSites = (sites: readonly CallSite[]): string => [...new Set(sites.map(showCallSite))].join(', ')

export const renderFlow = (flow: readonly Flow[]): string => {
  const width = Math.max(0, ...flow.map(({ input }) => input.length))
  const words = (f: Flow): string => {
    switch (f.tag) {
      case 'gradient':
        return [
          'gradient',
          ...f.through.map(({ name, at }) => `by custom '${name}' at ${showCallSite(at)}`),
          ...(f.stops.length === 0 ? [] : [`on other paths stopped at ${showCallSites(f.stops)}`]),
        ].join(', ')
      case 'stopped':
        return `stopped at ${showCallSites(f.at)}`
      case 'data':
        return reasons[f.because]
    }
  }
  return flow.map((f) => `  ${f.input.padEnd(width)}  ${words(f)}`).join('\n')
}
