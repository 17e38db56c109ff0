import { type AnyTensor, axisOf, build, type Direction, type Node, type NodeOf, type Tag } from '../../dsl/index.js'
import { type Mistake, mistake } from './mistake.js'
import { pointwiseMistakes } from './pointwise.js'

const { binary, broadcastTo, constant, contract, filled, iota, linearRecurrence, select, shifted, sum } = build

type Row<T extends Tag> = (node: NodeOf<T>, y: AnyTensor) => readonly Mistake[]

const none = (): readonly Mistake[] => []

/** x where it is the first along each of these axes, 0 elsewhere. */
const firstAlong = (names: readonly string[], x: AnyTensor): AnyTensor =>
  names.reduce((kept, name) => {
    const axis = axisOf(x, name)
    return axis === undefined ? kept : select(binary('equal')(iota(name, axis.size), 0), kept, 0)
  }, x)

/** How many there are of each element of y along these axes of x. */
const countAlong = (names: readonly string[], x: AnyTensor): AnyTensor => binary('max')(sum(...names)(filled(1, x)), 1)

/** Each id one less, but for the first place. */
const before = (ids: AnyTensor): AnyTensor => select(binary('less')(0, ids), binary('sub')(ids, 1), ids)

/** The same node with other fields, whose type and axes stay. */
const like = (y: AnyTensor, f: (operand: AnyTensor) => AnyTensor): AnyTensor => build.over(y, f)

const isFloat = ({ dtype }: AnyTensor): boolean => dtype === 'f32'

const isZero = ({ node }: AnyTensor): boolean => node.tag === 'constant' && node.value === 0

const opposite: { readonly [D in Direction]: Direction } = { forward: 'backward', backward: 'forward' }

/** One place on along the axis. */
const oneOff = (axis: string, y: AnyTensor): Mistake => mistake('moved', 'by one place', shifted(axis, 'forward')(y))

const sameSizes = (x: AnyTensor, y: AnyTensor): boolean =>
  x.axes.length === y.axes.length && x.axes.every(({ name, size }) => axisOf(y, name)?.size.text === size.text)

/** A shift is a pad that is sliced. */
const notMoved = (x: AnyTensor, y: AnyTensor): readonly Mistake[] =>
  x.node.tag === 'pad' && sameSizes(x.node.x, y) ? [mistake('moved', 'not at all', broadcastTo(y.axes)(x.node.x))] : []

const extreme = ({ x, over }: NodeOf<'max' | 'min'>, y: AnyTensor): readonly Mistake[] => [
  mistake('other', 'the sum instead', broadcastTo(y.axes)(sum(...over)(x))),
]

/** For each node that a rule may make, what is written in its place. A new one does not compile without a row. */
const mistakesTable: { readonly [T in Tag]: Row<T> } = {
  input: none,
  constant: ({ value }, y) =>
    y.dtype === 'bool'
      ? []
      : !isFloat(y)
        ? [mistake('moved', 'the number by one', constant(value + 1, y.dtype))]
        : value === 0
          ? [mistake('other', '1 instead of 0', constant(1))]
          : [mistake('doubled', 'the number', constant(2 * value)), mistake('negated', 'the number', constant(-value))],
  iota: none,
  extent: (_, y) => [mistake('moved', 'the size by one', binary('add')(y, 1))],
  map: ({ op, operands }, y) => pointwiseMistakes[op](y, ...operands),
  broadcast: ({ x }, y) => {
    const added = y.axes.filter(({ name }) => axisOf(x, name) === undefined).map(({ name }) => name)
    return added.length === 0 || !isFloat(y) || isZero(x)
      ? []
      : [
          mistake('averaged', 'over the axes that are repeated', binary('div')(y, broadcastTo(y.axes)(countAlong(added, y)))),
          mistake('unsummed', 'the first alone', firstAlong(added, y)),
        ]
  },
  sum: ({ x, over }, y) =>
    isFloat(y)
      ? [
          mistake(
            'unsummed',
            'the first alone',
            like(y, (operand) => (operand === x ? firstAlong(over, x) : operand)),
          ),
          mistake('averaged', 'over the axes', binary('div')(y, broadcastTo(y.axes)(countAlong(over, x)))),
        ]
      : [],
  max: extreme,
  min: extreme,
  argMax: none,
  argMin: none,
  argSort: none,
  contract: ({ x, y: other, over }, y) => [
    mistake('dropped', 'the second factor', broadcastTo(y.axes)(contract(...over)(x, filled(1, other)))),
    mistake('dropped', 'the first factor', broadcastTo(y.axes)(contract(...over)(filled(1, x), other))),
    ...(over.length === 0
      ? []
      : [
          mistake(
            'unsummed',
            'the first alone',
            like(y, (operand) => (operand === x ? firstAlong(over, x) : operand)),
          ),
        ]),
  ],
  linearRecurrence: ({ a, x, axis, direction }, y) => [
    mistake('reversed', 'the direction', broadcastTo(y.axes)(linearRecurrence(axis, opposite[direction])(a, x))),
    mistake('dropped', 'the coefficient', broadcastTo(y.axes)(linearRecurrence(axis, direction)(filled(1, a), x))),
    mistake('dropped', 'what came before', broadcastTo(y.axes)(x)),
  ],
  gather: ({ ids }, y) => [
    mistake(
      'moved',
      'one place before',
      like(y, (operand) => (operand === ids ? before(ids) : operand)),
    ),
  ],
  scatterAdd: ({ x, ids }, y) => {
    const counts = binary('max')(
      like(y, (operand) => (operand === x ? filled(1, x) : operand)),
      1,
    )
    return [
      mistake(
        'moved',
        'one place before',
        like(y, (operand) => (operand === ids ? before(ids) : operand)),
      ),
      ...(isFloat(y) ? [mistake('averaged', 'where ids repeat', binary('div')(y, counts))] : []),
    ]
  },
  scatterSet: ({ x, ids }, y) => [
    mistake(
      'moved',
      'one place before',
      like(y, (operand) => (operand === ids ? before(ids) : operand)),
    ),
    mistake('dropped', 'what is put', broadcastTo(y.axes)(x)),
  ],
  slice: ({ x, axis }, y) => (y.dtype === 'bool' ? [] : [oneOff(axis, y), ...notMoved(x, y)]),
  pad: ({ axis }, y) => [oneOff(axis, y)],
  flip: ({ x }, y) => [mistake('dropped', 'the turn', broadcastTo(y.axes)(x))],
  concat: ({ parts }, y) => {
    const [first, second] = parts
    return second === undefined || first === second
      ? []
      : [
          mistake(
            'dropped',
            'the first part',
            like(y, (operand) => (operand === first ? filled(0, first) : operand)),
          ),
        ]
  },
  split: ({ x, axis, outer, inner }, y) => [
    mistake('reversed', 'outer and inner', broadcastTo(y.axes)(build.splitLike(axis, { outer: inner, inner: outer }, y)(x))),
  ],
  merge: ({ x, axis, outer, inner }, y) => [
    mistake('reversed', 'outer and inner', broadcastTo(y.axes)(build.mergeLike(axis, { outer: inner, inner: outer }, y)(x))),
  ],
  rename: none, // by another name it would not fit
  custom: none, // no rule makes one, nor these
  checkpoint: none,
  barrier: none,
  stopGradient: ({ x }) => [mistake('unstopped', 'the derivative', x)],
  invalid: none,
}

/** What is written in place of a formula. */
export const mistakesFor = (y: AnyTensor): readonly Mistake[] =>
  (mistakesTable[y.node.tag] as (node: Node, y: AnyTensor) => readonly Mistake[])(y.node, y)
