import { type Pullback, type Rules, rules, type Shares, summedTo } from '../../autodiff/index.js'
import { type AnyTensor, axisOf, build, type Node, operandsOf, type Tag } from '../../dsl/index.js'
import { doubled, type Kind, negated, stopped } from './mistake.js'
import { floats, type Mutant } from './mutant.js'
import { type Formula, mistaken, sitesOf } from './sites.js'

type AnyPullback = (ct: AnyTensor, node: Node, y: AnyTensor) => Shares | undefined

const withPullback = (tag: Tag, row: AnyPullback): Rules => ({
  ...rules,
  pullbacks: { ...rules.pullbacks, [tag]: row as Pullback<Tag> },
})

const pullbackOf = (tag: Tag): AnyPullback => rules.pullbacks[tag] as AnyPullback

const sharesFormula = (shares: Shares, ct: AnyTensor, y: AnyTensor): Formula => {
  const roots = shares.map(([, share]) => share)
  const own = y.node.tag === 'custom' ? roots : [] // a user's, not the rule's
  return {
    roots,
    given: new Set([ct, y, ...operandsOf(y.node), ...own].map(({ node }) => node)),
    carriers: new Set([ct.node]),
  }
}

/** A share that was meant for another operand, made to fit. */
const fitted = (operand: AnyTensor, share: AnyTensor): AnyTensor =>
  operand.axes.every(({ name, size }) => (axisOf(share, name)?.size ?? size).text === size.text)
    ? summedTo(operand, share)
    : build.filled(0, operand)

/** A mistake in the shares of a node, and whether it can be made there. */
interface ShareMistake {
  readonly kind: Kind
  readonly what: string
  readonly apply: (shares: Shares, ct: AnyTensor, y: AnyTensor) => Shares
}

const inShare = (kind: Kind, i: number, f: (share: AnyTensor) => AnyTensor): ShareMistake => ({
  kind,
  what: `share ${String(i + 1)}`,
  apply: (shares) => shares.map(([operand, share], k) => [operand, k === i ? f(share) : share] as const),
})

const shareMistakes = (ct: AnyTensor, y: AnyTensor): readonly ShareMistake[] => {
  const shares = pullbackOf(y.node.tag)(ct, y.node, y) ?? []
  const passed = floats(y).filter((x) => shares.every(([operand]) => operand !== x))
  return [
    ...shares.flatMap((_, i): readonly ShareMistake[] => [
      { kind: 'dropped', what: `share ${String(i + 1)}`, apply: (all) => all.filter((_share, k) => k !== i) },
      inShare('negated', i, negated),
      inShare('doubled', i, doubled),
      inShare('stopped', i, stopped),
    ]),
    ...(shares.length < 2
      ? []
      : [
          {
            kind: 'swapped' as const,
            what: 'shares 1 and 2',
            apply: ([first, second, ...rest]: Shares): Shares =>
              first === undefined || second === undefined
                ? []
                : [[first[0], fitted(first[0], second[1])], [second[0], fitted(second[0], first[1])], ...rest],
          },
        ]),
    ...passed.map((_, i): ShareMistake => ({
      kind: y.node.tag === 'stopGradient' ? 'unstopped' : 'added',
      what: `a share of operand ${String(i + 1)}`,
      apply: (all, own, at) => {
        const operand = floats(at)[i]
        return operand === undefined ? all : [...all, [operand, fitted(operand, own)]]
      },
    })),
    ...sitesOf(sharesFormula(shares, ct, y)).map((site): ShareMistake => ({
      kind: site.kind,
      what: `${site.what} at ${site.place}`,
      apply: (all, own, at) => {
        const roots = mistaken(sharesFormula(all, own, at), site)
        return all.map(([operand], k) => [operand, roots[k]!] as const)
      },
    })),
  ]
}

/** Where the cotangent of a node goes, wrong in reverse mode alone. */
export const mutantsOfPullback = (y: AnyTensor): readonly Mutant[] => {
  const { tag } = y.node
  const ct = build.input('ct', 'f32', y.axes)
  return shareMistakes(ct, y).map(({ kind, what, apply }) => ({
    kind,
    what,
    rules: withPullback(tag, (own, node, at) => apply(pullbackOf(tag)(own, node, at) ?? [], own, at)),
  }))
}
