import type { Rules } from '../../autodiff/index.js'
import { evaluateTensors, float64 } from '../../backends/cpu/evaluate.js'
import { type AnyTensor, type Axis, axisNames, build, clip, relu, type ScalarOp, sizes, type Value } from '../../dsl/index.js'
import { forwards, gradients, objectiveOf } from '../../verify/objective.js'

/** A number, or some along an axis. */
type Point = number | readonly number[]

/** The derivative of the sum of an expression, where it is a choice, a limit or no number. */
export interface Meaning {
  readonly what: string
  readonly of: (...operands: readonly AnyTensor[]) => AnyTensor
  readonly at: readonly Point[]
  /** By each operand. */
  readonly gradient: readonly Point[]
  /** By forward mode, where that can tell more: a slope without end comes in with a tangent, and 0 times it is no number. */
  readonly forward?: readonly Point[]
}

const { binary, concat, gather, iota, map, max, min, select } = build

const inf = Infinity

type Values = readonly [at: number, slope: number]

const text = (x: number): string => (Object.is(x, -0) ? '−0' : String(x))

const unary = (op: ScalarOp, ...values: readonly Values[]): readonly Meaning[] =>
  values.map(([at, slope]) => ({ what: `${op} at ${text(at)}`, of: (x) => map(op, x), at: [at], gradient: [slope] }))

type Pairs = readonly [x: number, y: number, byX: number, byY: number]

const twoOperands = (op: ScalarOp, ...pairs: readonly Pairs[]): readonly Meaning[] =>
  pairs.map(([x, y, byX, byY]) => ({
    what: `${op} at ${text(x)}, ${text(y)}`,
    of: (...operands) => map(op, ...operands),
    at: [x, y],
    gradient: [byX, byY],
  }))

const along = (what: string, of: (x: AnyTensor) => AnyTensor, at: readonly number[], gradient: readonly number[]): Meaning => ({
  what: `${what} of ${at.map(text).join(', ')}`,
  of: (x) => of(x),
  at: [at],
  gradient: [gradient],
})

const clipped = clip(-1, 1) as unknown as (x: AnyTensor) => AnyTensor
const rectified = relu as unknown as (x: AnyTensor) => AnyTensor

/** What is at the places of `mask`, and 0 at the others. */
const shown =
  (mask: readonly number[], f: (x: AnyTensor) => AnyTensor) =>
  (x: AnyTensor): AnyTensor =>
    select(trueAt(mask, x), f(x), 0)

/** A bool along the axis of x. */
const trueAt = (mask: readonly number[], x: AnyTensor): AnyTensor =>
  mask
    .map((on, i) => (on === 1 ? binary('equal')(build.iota('time', x.axes[0]!.size), i) : map('toBool', build.filled(0, x))))
    .reduce((either, one) => map('or', either, one))

/** As in PyTorch, but that an extreme over an axis with a NaN has derivative 0 (there it is NaN), and |NaN| has NaN. */
export const meanings: readonly Meaning[] = [
  // Kinks: |x| has slope 0 at 0; what is stepwise has none anywhere.
  ...unary('abs', [-2, -1], [0, 0], [-0, 0], [2, 1], [inf, 1], [-inf, -1], [NaN, NaN]),
  ...unary('sign', [-2, 0], [0, 0], [inf, 0], [NaN, 0]),
  ...unary('floor', [0.5, 0], [1, 0], [-1, 0], [-inf, 0], [NaN, 0]),
  // Poles, and what lies beyond them.
  ...unary('sqrt', [0, inf], [4, 0.25], [inf, 0], [-1, NaN]),
  ...unary('rsqrt', [0, -inf], [4, -0.0625], [inf, 0], [-1, NaN]),
  ...unary('recip', [0, -inf], [-0, -inf], [inf, 0], [-2, -0.25]),
  ...unary('log', [0, inf], [-0, -inf], [inf, 0], [-1, -1], [NaN, NaN]),
  ...unary('log1p', [-1, inf], [inf, 0], [-3, -0.5]),
  // Far out.
  ...unary('exp', [-inf, 0], [inf, inf], [NaN, NaN]),
  ...unary('expm1', [-inf, 0], [inf, inf]),
  ...unary('tanh', [inf, 0], [-inf, 0], [NaN, NaN]),
  ...unary('sigmoid', [inf, 0], [-inf, 0], [1000, 0]),
  ...unary('softplus', [inf, 1], [-inf, 0], [1000, 1]),
  ...unary('erf', [inf, 0], [-inf, 0]),
  ...unary('sin', [inf, NaN], [0, 1]),
  ...unary('cos', [inf, NaN], [0, 0]),
  ...unary('neg', [NaN, -1], [inf, -1]),
  ...unary('toF32', [NaN, 1]),
  // Ties give each half; a NaN loses to nobody.
  ...twoOperands(
    'min',
    [1, 2, 1, 0],
    [2, 1, 0, 1],
    [2, 2, 0.5, 0.5],
    [inf, inf, 0.5, 0.5],
    [-inf, 1, 1, 0],
    [NaN, 1, 1, 1],
    [1, NaN, 1, 1],
  ),
  ...twoOperands('max', [1, 2, 0, 1], [2, 1, 1, 0], [2, 2, 0.5, 0.5], [0, -0, 0.5, 0.5], [inf, 1, 1, 0], [NaN, 1, 1, 1], [1, NaN, 1, 1]),
  ...twoOperands('div', [1, 0, inf, -inf], [0, 0, inf, NaN], [1, inf, 0, 0], [1, -0, -inf, -inf], [0, 2, 0.5, 0]),
  ...twoOperands('mod', [6, 3, 1, -2], [-6, 3, 1, 2], [7.5, -2, 1, 4], [0.75, 0.25, 1, -3], [5, 0, 1, NaN]),
  ...twoOperands('mul', [0, inf, inf, 0], [NaN, 0, 0, NaN]),
  // x⁰ = 1 whatever x is; 0ʸ does not change with y.
  ...twoOperands(
    'pow',
    [0, 2, 0, 0],
    [0, 0, 0, 0],
    [0, 1, 1, 0],
    [NaN, 0, 0, NaN],
    [0, -1, -inf, -inf],
    [-2, 3, 12, NaN],
    [1, inf, inf, 0],
    [2, 0, 0, Math.LN2],
  ),
  // Over an axis all that attain the extreme share alike, and none does where one is NaN.
  along('the greatest', max('time'), [1, 3, 3, 0, 3], [0, 1 / 3, 1 / 3, 0, 1 / 3]),
  along('the greatest', max('time'), [inf, 1, inf], [0.5, 0, 0.5]),
  along('the greatest', max('time'), [-inf, -inf], [0.5, 0.5]),
  along('the greatest', max('time'), [1, NaN, 3], [0, 0, 0]),
  along('the greatest', max('time'), [], []),
  along('the least', min('time'), [1, 3, 1, 4], [0.5, 0, 0.5, 0]),
  along('the least', min('time'), [-inf, 0, 2], [1, 0, 0]),
  along('the least', min('time'), [NaN, 1], [0, 0]),
  // Bounds are inside; at 0 the rectifier is on its flat side.
  along('clip to [−1, 1]', clipped, [-1.5, -1, 0, 1, 1.5], [0, 1, 1, 1, 0]),
  along('clip to [−1, 1]', clipped, [-inf, inf], [0, 0]),
  along('relu', rectified, [-1, 0, -0, 2, inf], [0, 0, 0, 1, 1]),
  // A branch that is not taken leaks nothing, whatever it is.
  along(
    'x where shown',
    shown([1, 0, 0, 0], (x) => x),
    [2, NaN, inf, -inf],
    [1, 0, 0, 0],
  ),
  along('eˣ of what is shown', (x) => map('exp', shown([1, 0, 0], (y) => y)(x)), [0, NaN, inf], [1, 0, 0]),
  along('√ of what is shown, shown', (x) => shown([1, 0], (y) => map('sqrt', shown([1, 0], (z) => z)(y)))(x), [4, 9], [0.25, 0]),
  along('log of what is shown, shown', (x) => shown([1, 0], (y) => map('log', shown([1, 0], (z) => z)(y)))(x), [4, NaN], [0.25, 0]),
  along('√ above a floor, shown', (x) => select(binary('less')(0, x), map('sqrt', binary('max')(x, 0)), 0), [4, -4], [0.25, 0]),
  along(
    '√ of −x above a floor, shown',
    (x) => select(binary('less')(x, 0), map('sqrt', map('neg', binary('min')(0, x))), 0),
    [-4, 4],
    [-0.25, 0],
  ),
  // What is not there does not change: the places −1 to 2 of two.
  along('x read within and outside', (x) => gather('time')(binary('sub')(iota('place', sizes.literal(4)), 1))(x), [5, 7], [1, 1]),
  // Nor is a slope without end, where it is taken.
  along('√ of the greater of x and −1', (x) => map('sqrt', binary('max')(x, -1)), [0], [inf]),
  along('√ of the greater of −1 and x', (x) => map('sqrt', binary('max')(-1, x)), [0], [inf]),
  along('√ of the lesser of x and 9', (x) => map('sqrt', binary('min')(x, 9)), [0], [inf]),
  along('√ of the lesser of 9 and x', (x) => map('sqrt', binary('min')(9, x)), [0], [inf]),
  { ...along('the greatest √', (x) => max('time')(map('sqrt', x)), [0, 4], [NaN, 0.25]), forward: [[0, 0.25]] },
  { ...along('the least √ below 0', (x) => min('time')(map('neg', map('sqrt', x))), [0, 4], [NaN, -0.25]), forward: [[0, -0.25]] },
  along('the greatest of what is shown', (x) => max('time')(shown([1, 0, 1], (y) => y)(x)), [1, NaN, 2], [0, 0, 1]),
  along('√ of the greatest above a floor, shown', (x) => {
    const most = max('time')(concat('time')(x, build.filled(0, x)))
    return select(binary('less')(0, most), map('sqrt', most), 0)
  }, [-1, -2], [0, 0]), // prettier-ignore
]

const valueOf = (point: Point): Value => (typeof point === 'number' ? { sizes: [], data: [point] } : { sizes: [point.length], data: point })

const axesOf = (point: Point): readonly Axis[] => (typeof point === 'number' ? [] : [{ name: 'time', size: sizes.literal(point.length) }])

/** 1 at one place, 0 at the others. */
const unit = (point: Point, place: number): Value => {
  const { sizes: own, data } = valueOf(point)
  return { sizes: own, data: Array.from(data, (_, i) => (i === place ? 1 : 0)) }
}

/** −0 is 0 here. */
const pointLike = (point: Point, data: readonly number[]): Point =>
  typeof point === 'number' ? (data[0] ?? NaN) + 0 : data.map((x) => x + 0)

/** The gradient by each operand that some rules give: by reverse mode, and element by element by forward mode. */
export const derivatives = ({ of, at }: Meaning, rules?: Rules): Readonly<Record<'reverse' | 'forward', readonly Point[]>> => {
  const sources = at.map((point, i) => {
    const path = `inputs.x${String(i)}`
    return { path, value: build.input(path, 'f32', axesOf(point)) }
  })
  const made = of(...sources.map(({ value }) => value))
  const objective = { ...objectiveOf(build.sum(...axisNames(made))(made)), sources }
  const values = at.map((point, i): readonly [string, Value] => [sources[i]!.path, valueOf(point)])
  const dataAt = (x: AnyTensor, ...more: readonly (readonly [string, Value])[]): readonly number[] =>
    evaluateTensors([x], { sizes: new Map(), values: new Map([...values, ...more]) }, float64).get(x.node)!.data
  const rateBy = (source: (typeof sources)[number], direction: Value): number =>
    dataAt(forwards({ ...objective, sources: [source] }, rules), [`direction.${source.path}`, direction])[0]!
  return {
    reverse: gradients(objective, rules).map((gradient, i) => pointLike(at[i]!, dataAt(gradient))),
    forward: at.map((point, i) =>
      pointLike(
        point,
        Array.from(valueOf(point).data, (_, place) => rateBy(sources[i]!, unit(point, place))),
      ),
    ),
  }
}
