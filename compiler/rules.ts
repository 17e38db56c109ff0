import { type AnyTensor, type Axis, build, type NodeOf, sizes, type Tag } from '../dsl/index.js'

/** An equation: what is on the left may be replaced by what is on the right, where the condition holds. */
export interface Rule<T extends Tag = Tag> {
  /** For people. */
  readonly says: string
  readonly left: readonly T[]
  readonly when: (node: NodeOf<T>, x: AnyTensor) => boolean
  readonly right: (node: NodeOf<T>, x: AnyTensor) => AnyTensor
}

const always = (): boolean => true

const inner = ({ x }: { readonly x: AnyTensor }): AnyTensor => x

const sameOrder = (x: AnyTensor, y: AnyTensor): boolean =>
  x.axes.length === y.axes.length && x.axes.every(({ name }, i) => y.axes[i]?.name === name)

/** The number that a tensor is everywhere; undefined where it is not one. */
const numberOf = ({ node }: AnyTensor): number | undefined =>
  node.tag === 'constant' ? node.value : node.tag === 'broadcast' ? numberOf(node.x) : undefined

type Map = NodeOf<'map'>

/** A binary operation whose second operand is this number, and whose first is of the result's kind. */
const by =
  (op: Map['op'], number: number) =>
  ({ op: own, operands: [x, y] }: Map, result: AnyTensor): boolean =>
    own === op && x !== undefined && y !== undefined && sameOrder(x, result) && Object.is(numberOf(y), number)

const first = ({ operands }: Map): AnyTensor => operands[0]!

const isNeg = ({ node }: AnyTensor): boolean => node.tag === 'map' && node.op === 'neg'

const product = ({ x, y }: NodeOf<'contract'>, axes: AnyTensor['axes']): AnyTensor => {
  const spread = build.broadcastTo(axes)
  return build.map('mul', spread(x), spread(y))
}

/** As many elements are not worth a kernel of their own. */
const short = 64

/** The names of axes from the last on, those together that are known to hold few elements. */
const fromTheLast = (axes: readonly Axis[]): readonly (readonly string[])[] => {
  const parts: { readonly names: readonly string[]; readonly count: number }[] = []
  for (const { name, size } of axes.toReversed()) {
    const last = parts.at(-1)
    const count = (last?.count ?? 1) * (sizes.known(size) ?? Infinity)
    if (last !== undefined && count <= short) parts[parts.length - 1] = { names: [name, ...last.names], count }
    else parts.push({ names: [name], count: sizes.known(size) ?? Infinity })
  }
  return parts.map(({ names }) => names)
}

const reduce = { sum: build.sum, max: build.max, min: build.min }

/**
 * The algebra of the compiler. No 0·x = 0 and no x − x = 0 here: they are false where x is infinite or NaN; and no x + 0 = x: −0 + 0 is 0.
 */
export const rules = {
  /** Once the derivative has been taken, what only it looks at is nothing at all. */
  stopGradient: { says: 'stopGradient(x) = x', left: ['stopGradient'], when: always, right: inner } satisfies Rule<'stopGradient'>,
  custom: { says: 'custom(x) = x', left: ['custom'], when: always, right: inner } satisfies Rule<'custom'>,
  checkpoint: { says: 'checkpoint(x) = x', left: ['checkpoint'], when: always, right: inner } satisfies Rule<'checkpoint'>,
  sameNames: {
    says: 'x with its own names = x',
    left: ['rename'],
    when: ({ names }) => Object.entries(names).every(([from, to]) => from === to),
    right: inner,
  } satisfies Rule<'rename'>,
  sameAxes: {
    says: 'x repeated along no axis, in its own order = x',
    left: ['broadcast'],
    when: ({ x }, y) => sameOrder(x, y),
    right: inner,
  } satisfies Rule<'broadcast'>,
  outerProduct: {
    says: 'a product summed over nothing = x·y',
    left: ['contract'],
    when: ({ over }) => over.length === 0,
    right: (node, { axes }) => product(node, axes),
  } satisfies Rule<'contract'>,
  /** Nothing is read twice, so there is nothing to cut into tiles; a sum goes with what else its rows make. */
  dotProduct: {
    says: 'a product of tensors with the same axes, summed = Σ x·y',
    left: ['contract'],
    when: ({ x, y, over }, { axes }) => [x, y].every((operand) => operand.axes.length === axes.length + over.length),
    right: (node, { axes }) => build.broadcastTo(axes)(build.sum(...node.over)(product(node, node.x.axes))),
  } satisfies Rule<'contract'>,
  /** A scatter that adds no two elements together. */
  oneHot: {
    says: 'x scattered along a new axis = x where the place is its id, 0 elsewhere',
    left: ['scatterAdd'],
    when: ({ over }) => over.length === 0,
    right: ({ x, ids, axis }, y) => {
      const { size } = y.axes.find(({ name }) => name === axis)!
      const spread = build.broadcastTo(y.axes)
      const whole = ids.dtype === 'i32' ? ids : build.map('toI32', ids)
      return build.select(build.map('equal', spread(whole), spread(build.iota(axis, size))), spread(x), 0)
    },
  } satisfies Rule<'scatterAdd'>,
  /** The sums of the last axis go with what else is made of its rows, and are made in parallel. */
  rowByRow: {
    says: 'a scalar over several axes = over one after the other, the last first, short ones together',
    left: ['sum', 'max', 'min'],
    when: ({ x }, { axes }) => axes.length === 0 && fromTheLast(x.axes).length > 1,
    right: ({ tag, x }) => fromTheLast(x.axes).reduce((y, names) => reduce[tag](...names)(y), x),
  } satisfies Rule<'sum' | 'max' | 'min'>,
  timesOne: { says: 'x·1 = x', left: ['map'], when: by('mul', 1), right: first } satisfies Rule<'map'>,
  overOne: { says: 'x/1 = x', left: ['map'], when: by('div', 1), right: first } satisfies Rule<'map'>,
  minusZero: { says: 'x − 0 = x', left: ['map'], when: by('sub', 0), right: first } satisfies Rule<'map'>,
  negTwice: {
    says: '−(−x) = x',
    left: ['map'],
    when: ({ op, operands }) => op === 'neg' && operands.every(isNeg),
    right: ({ operands: [x] }) => (x?.node.tag === 'map' ? first(x.node) : x!),
  } satisfies Rule<'map'>,
}

export type RuleName = keyof typeof rules

/** What the first rule that applies makes of a tensor; undefined where none does. */
export const simplified =
  (names: readonly RuleName[]) =>
  (x: AnyTensor): AnyTensor | undefined => {
    for (const name of names) {
      const rule = rules[name] as unknown as Rule
      if (rule.left.includes(x.node.tag) && rule.when(x.node, x)) return rule.right(x.node, x)
    }
    return undefined
  }
