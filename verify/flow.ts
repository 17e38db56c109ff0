import { partials } from '../autodiff/index.js'
import {
  type AnyTensor,
  type CallSite,
  givenLeaves,
  type Node,
  operandsOf,
  type Program,
  rootsOf,
  showCallSite,
  topological,
} from '../dsl/index.js'

/** How a derivative reaches an input of a loss. */
export type Flow =
  | { readonly tag: 'gradient'; readonly input: string }
  /** Every path to the loss goes through a stopGradient: these are the last of them before the loss. */
  | { readonly tag: 'stopped'; readonly input: string; readonly at: readonly CallSite[] }
  | { readonly tag: 'data'; readonly input: string; readonly because: 'type' | 'unused' | 'noDerivative' }

/** A path of an input as its user writes it: without the root that all have. */
export const inputName = (path: string): string => path.replace(/^inputs\.?/, '')

/** The operands on which y depends with a derivative, but for a gradient that is stopped there. */
const differentiable = (y: AnyTensor): readonly AnyTensor[] => {
  const { node } = y
  const floats = operandsOf(node).filter(({ dtype }) => dtype === 'f32')
  if (node.tag !== 'map') return floats
  const rows = partials[node.op](...node.operands, y)
  return node.operands.filter((operand, i) => operand.dtype === 'f32' && rows[i] !== 'none')
}

/** What the roots depend on with a derivative; `passing` says whether to go on through a stopped gradient. */
const reached = (roots: readonly AnyTensor[], passing: boolean): ReadonlySet<Node> => {
  const found = new Set<Node>(roots.map(({ node }) => node))
  for (const y of topological(roots).toReversed())
    if (found.has(y.node) && (passing || y.node.tag !== 'stopGradient')) for (const x of differentiable(y)) found.add(x.node)
  return found
}

const stopsBefore = (roots: readonly AnyTensor[], live: ReadonlySet<Node>, path: string): readonly CallSite[] => {
  const stops = topological(roots).flatMap(({ node }) => (node.tag === 'stopGradient' && live.has(node) ? [node] : []))
  return stops.filter(({ x }) => [...reached([x], true)].some((node) => node.tag === 'input' && node.path === path)).map(({ at }) => at)
}

/** For each input of a program, how a derivative of its outputs reaches it; read off the graph alone. */
export const gradientFlow = (p: Program<unknown, unknown, unknown>): readonly Flow[] => {
  const roots = rootsOf(p).filter(({ dtype }) => dtype === 'f32')
  const live = reached(roots, false)
  const paths = (nodes: Iterable<Node>): ReadonlySet<string> =>
    new Set([...nodes].flatMap((node) => (node.tag === 'input' ? [node.path] : [])))
  const [flowing, used] = [paths(live), paths(topological(rootsOf(p)).map(({ node }) => node))]
  return givenLeaves(p).map(({ path, value: { dtype } }): Flow => {
    const input = inputName(path)
    if (dtype !== 'f32') return { tag: 'data', input, because: 'type' }
    if (flowing.has(path)) return { tag: 'gradient', input }
    if (!used.has(path)) return { tag: 'data', input, because: 'unused' }
    const at = stopsBefore(roots, live, path)
    return at.length > 0 ? { tag: 'stopped', input, at } : { tag: 'data', input, because: 'noDerivative' }
  })
}

const reasons = {
  type: 'data (no float)',
  unused: 'data (the loss does not use it)',
  noDerivative: 'data (no path to the loss has a derivative)',
}

export const renderFlow = (flow: readonly Flow[]): string => {
  const width = Math.max(0, ...flow.map(({ input }) => input.length))
  const words = (f: Flow): string => {
    switch (f.tag) {
      case 'gradient':
        return 'gradient'
      case 'stopped':
        return `stopped at ${f.at.map(showCallSite).join(', ')}`
      case 'data':
        return reasons[f.because]
    }
  }
  return flow.map((f) => `  ${f.input.padEnd(width)}  ${words(f)}`).join('\n')
}
