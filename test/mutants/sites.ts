import { rules, sharesOf } from '../../autodiff/index.js'
import { type AnyTensor, build, type Node, operandsOf, topological } from '../../dsl/index.js'
import { type Mistake, mistake, stopped } from './mistake.js'
import { mistakesFor } from './mistakes.js'

/** Where in a formula a mistake is made: the node by its name, counted among those of the name in its root. */
export interface Site {
  readonly place: string
  readonly kind: Mistake['kind']
  readonly what: string
}

/** What a rule made of what it was given: the roots, and where it began. */
export interface Formula {
  readonly roots: readonly AnyTensor[]
  /** What the rule was given. It is not the rule's doing. */
  readonly given: ReadonlySet<Node>
  /** That of it which carries the derivative: a formula is linear in it. */
  readonly carriers: ReadonlySet<Node>
}

const madeBy = ({ roots, given }: Formula): readonly AnyTensor[] =>
  topological(roots, ({ node }) => (given.has(node) ? [] : operandsOf(node))).filter(({ node }) => !given.has(node))

const nameOf = ({ node }: AnyTensor): string => (node.tag === 'map' ? node.op : node.tag)

/** The place of each node that the rule made: in which root, and which of its name. */
const placesOf = (formula: Formula): ReadonlyMap<Node, string> => {
  const places = new Map<Node, string>()
  formula.roots.forEach((root, i) => {
    const counts = new Map<string, number>()
    for (const y of madeBy({ ...formula, roots: [root] })) {
      const name = nameOf(y)
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      if (!places.has(y.node)) places.set(y.node, `${name} ${String(count)} of part ${String(i + 1)}`)
    }
  })
  return places
}

/** The floats of the rule's own making, and those it was given, into which a derivative of the roots flows. */
const reachedBy = (formula: Formula): ReadonlySet<Node> => {
  const live = new Set(formula.roots.map(({ node }) => node))
  for (const y of madeBy(formula).toReversed()) if (live.has(y.node)) for (const operand of differentiable(y)) live.add(operand.node)
  return live
}

const differentiable = (y: AnyTensor): readonly AnyTensor[] =>
  sharesOf(rules.pullbacks, build.filled(1, y), y).flatMap(([operand]) => (operand.dtype === 'f32' ? [operand] : []))

/** Whether it depends on what the rule was given with a derivative, but for what carries one. */
const varies = (formula: Formula, y: AnyTensor): boolean => {
  const below = reachedBy({ ...formula, roots: [y] })
  return [...below].some((node) => formula.given.has(node) && !formula.carriers.has(node) && node.tag !== 'constant')
}

const carries = (formula: Formula, y: AnyTensor): boolean =>
  topological([y], ({ node }) => (formula.given.has(node) ? [] : operandsOf(node))).some(({ node }) => formula.carriers.has(node))

/** A factor of the node is stopped: its own derivative is forgotten. */
const stops = (formula: Formula, reached: ReadonlySet<Node>, y: AnyTensor): readonly Mistake[] =>
  !reached.has(y.node)
    ? []
    : [...new Set(differentiable(y))].flatMap((operand, i) =>
        carries(formula, operand) || !varies(formula, operand)
          ? []
          : [
              mistake(
                'stopped',
                `operand ${String(i + 1)}`,
                build.over(y, (x) => (x === operand ? stopped(x) : x)),
              ),
            ],
      )

const allMistakes = (formula: Formula, reached: ReadonlySet<Node>, y: AnyTensor): readonly Mistake[] => [
  ...mistakesFor(y),
  ...stops(formula, reached, y),
]

/** Everything that can be got wrong in a formula. */
export const sitesOf = (formula: Formula): readonly Site[] => {
  const [places, reached] = [placesOf(formula), reachedBy(formula)]
  return madeBy(formula).flatMap((y) =>
    allMistakes(formula, reached, y).map(({ kind, what }): Site => ({ place: places.get(y.node)!, kind, what })),
  )
}

/** The roots with the mistake made; as they were where the formula has no such place. */
export const mistaken = (formula: Formula, site: Site): readonly AnyTensor[] => {
  const places = placesOf(formula)
  const reached = site.kind === 'stopped' ? reachedBy(formula) : new Set<Node>()
  const done = new Map<Node, AnyTensor>()
  for (const y of madeBy(formula)) {
    const rebuilt = operandsOf(y.node).some(({ node }) => done.has(node)) ? build.over(y, (x) => done.get(x.node) ?? x) : y
    const wrong =
      places.get(y.node) === site.place
        ? allMistakes(formula, reached, y).find(({ kind, what }) => kind === site.kind && what === site.what)?.made
        : undefined
    if (wrong !== undefined || rebuilt !== y) done.set(y.node, wrong ?? rebuilt)
  }
  return formula.roots.map((root) => done.get(root.node) ?? root)
}
