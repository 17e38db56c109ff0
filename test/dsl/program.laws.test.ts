import fc from 'fast-check'
import { type AnyTensor, build, intern, isTensor, type Node, printGraph, printProgram, rewrite, topological } from '../../dsl/index.js'
import { law } from '../law.js'
import { type AnyProgram, anyProgram, programsTwice } from '../programs/index.js'

/** What a program makes as it was written down: nothing in it is one node yet that was built twice. */
const written = ({ outputs, nextState }: AnyProgram): readonly AnyTensor[] => Object.values({ ...outputs, ...nextState }).map(({ x }) => x)

/** For each node the number of its kind of expression, told by all that the node holds but the line that it came from. */
const kindsIn = (roots: readonly AnyTensor[]): ReadonlyMap<Node, number> => {
  const numbers = new Map<string, number>()
  const kinds = new Map<Node, number>()
  const text = (held: unknown): string => {
    if (isTensor(held)) return `%${String(kinds.get(held.node))}`
    if (typeof held !== 'object' || held === null) return Object.is(held, -0) ? '-0' : JSON.stringify(held)
    return `(${Object.entries(held).map(([key, own]) => (key === 'at' ? '' : `${key}: ${text(own)}`)).join()})` // prettier-ignore
  }
  const visit = (own: readonly AnyTensor[]): void => {
    for (const { dtype, axes, node } of topological(own)) {
      if (node.tag === 'custom' && node.vjp) visit([...node.vjp.parameters, ...node.vjp.results.filter(isTensor)])
      const key = text([dtype, axes, node])
      const number = numbers.get(key) ?? numbers.size
      numbers.set(key, number)
      kinds.set(node, number)
    }
  }
  visit(roots)
  return kinds
}

/** The same expressions, of nodes of their own. */
const copied = (roots: readonly AnyTensor[]): readonly AnyTensor[] => rewrite((x, rebuilt) => build.over(x, rebuilt))(roots)

const nodesOf = (roots: readonly AnyTensor[]): readonly Node[] => topological(roots).map(({ node }) => node)

law(
  'equal expressions are one node, and others are not',
  fc.property(anyProgram, (p) => {
    const roots = [...written(p), ...copied(written(p))]
    const made = intern(roots)
    const kinds = kindsIn([...roots, ...made])
    const sorts = new Set(nodesOf(roots).map((node) => kinds.get(node)))
    return nodesOf(made).length === sorts.size && roots.every(({ node }, i) => kinds.get(node) === kinds.get(made[i]!.node))
  }),
  { runs: 1000 },
)

const textOf = (roots: readonly AnyTensor[]): string => printGraph(roots.map((value, i) => ({ path: String(i), value })))

law(
  'a program built again has the same text, and so has one whose equal expressions are one already',
  fc.property(programsTwice, ([p, again]) => {
    const made = intern(written(p))
    return printProgram(p.program) === printProgram(again.program) && textOf(made) === textOf(intern(made))
  }),
  { runs: 1000 },
)
