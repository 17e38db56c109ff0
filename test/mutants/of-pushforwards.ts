import { type Pushforward, type Rules, rules, type TangentOf } from '../../autodiff/index.js'
import { type AnyTensor, build, type Node, operandsOf, type Tag } from '../../dsl/index.js'
import { doubled, type Kind, negated, stopped } from './mistake.js'
import { floats, type Mutant } from './mutant.js'
import { type Formula, mistaken, sitesOf } from './sites.js'

type AnyPushforward = (node: Node, y: AnyTensor, tangentOf: TangentOf) => AnyTensor | undefined

const withPushforward = (tag: Tag, row: AnyPushforward): Rules => ({
  ...rules,
  pushforwards: { ...rules.pushforwards, [tag]: row as Pushforward<Tag> },
})

const pushforwardOf = (tag: Tag): AnyPushforward => rules.pushforwards[tag] as AnyPushforward

const pushedFormula = (made: AnyTensor, y: AnyTensor, tangentOf: TangentOf): Formula => {
  const carriers = operandsOf(y.node).flatMap((x) => tangentOf(x)?.node ?? [])
  const own = y.node.tag === 'custom' ? [made.node] : [] // read off what a user wrote
  return {
    roots: [made],
    given: new Set([y.node, ...operandsOf(y.node).map(({ node }) => node), ...carriers, ...own]),
    carriers: new Set(carriers),
  }
}

interface TangentMistake {
  readonly kind: Kind
  readonly what: string
  readonly apply: AnyPushforward
}

/** A tangent is changed on its way in. */
const inTangent = (tag: Tag, kind: Kind, i: number, f: (tangent: AnyTensor) => AnyTensor | undefined): TangentMistake => ({
  kind,
  what: `the tangent of operand ${String(i + 1)}`,
  apply: (node, y, tangentOf) =>
    pushforwardOf(tag)(node, y, (x) => {
      const tangent = tangentOf(x)
      return x === floats(y)[i] && tangent !== undefined ? f(tangent) : tangent
    }),
})

const inResult = (
  tag: Tag,
  kind: Kind,
  what: string,
  f: (made: AnyTensor, y: AnyTensor, tangentOf: TangentOf) => AnyTensor,
): TangentMistake => ({
  kind,
  what,
  apply: (node, y, tangentOf) => {
    const made = pushforwardOf(tag)(node, y, tangentOf)
    return made && f(made, y, tangentOf)
  },
})

const tangentMistakes = (y: AnyTensor): readonly TangentMistake[] => {
  const { tag } = y.node
  const tangents = new Map(floats(y).map((x, i) => [x.node, build.input(`tangent${String(i)}`, 'f32', x.axes)]))
  const tangentOf: TangentOf = (x) => tangents.get(x.node)
  const made = pushforwardOf(tag)(y.node, y, tangentOf)
  if (made === undefined)
    return floats(y).map((_, i) => ({
      kind: tag === 'stopGradient' ? 'unstopped' : 'added',
      what: `the tangent of operand ${String(i + 1)}`,
      apply: (_node, at, own) => {
        const operand = floats(at)[i]
        return operand && own(operand)
      },
    }))
  return [
    ...floats(y).flatMap((_, i) => [
      inTangent(tag, 'dropped', i, () => undefined),
      inTangent(tag, 'negated', i, negated),
      inTangent(tag, 'doubled', i, doubled),
    ]),
    inResult(tag, 'stopped', 'the tangent', stopped),
    ...sitesOf(pushedFormula(made, y, tangentOf)).map((site) =>
      inResult(tag, site.kind, `${site.what} at ${site.place}`, (own, at, of) => mistaken(pushedFormula(own, at, of), site)[0]!),
    ),
  ]
}

/** What the tangent of a node is, wrong in forward mode alone. */
export const mutantsOfPushforward = (y: AnyTensor): readonly Mutant[] =>
  tangentMistakes(y).map(({ kind, what, apply }) => ({
    kind,
    what,
    rules: withPushforward(y.node.tag, apply),
  }))
