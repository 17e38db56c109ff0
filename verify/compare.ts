import { evaluateTensors, float64, type Values } from '../backends/cpu/evaluate.js'
import { type AnyTensor, type Bound, hasData, random } from '../dsl/index.js'
import { agrees, type Direction, roundingAlong, type Section, sectionOf, slopeFrom, type Slopes, slopesAlong } from './differences.js'
import { mayBeAtKink } from './kinks.js'
import type { Objective } from './objective.js'

/** Which of its two slopes a derivative has to be at a kink: that to one side, or anything from the one to the other. */
export type Side = 'left' | 'right' | 'between'

/** A derivative by reverse mode beside one by differences; or that there is none to compare with. */
export type Comparison =
  | { readonly tag: 'agrees' }
  | { readonly tag: 'kink' }
  | { readonly tag: 'differs'; readonly reverse: number; readonly differences: number }

/** A slope to one side, by both steps: what remains of the step's own error is less than their difference. */
const oneSided = ({ wide, near }: Slopes, side: 'left' | 'right', noise: number) => {
  const change = near[side] - wide[side]
  return { value: near[side] + change / 3, error: noise + Math.abs(change) }
}

/** At a jump neither slope is one: it grows as the step shrinks. */
const isJump = ({ wide, near }: Slopes): boolean =>
  (['left', 'right'] as const).some((side) => !(Math.abs(near[side]) < 2 * Math.abs(wide[side]) + 1))

const atKink = (reverse: number, slopes: Slopes, noise: number, side: Side): Comparison => {
  const [left, right] = [oneSided(slopes, 'left', noise), oneSided(slopes, 'right', noise)]
  const [lower, upper] = left.value < right.value ? [left, right] : [right, left]
  const clamped = Math.max(lower.value, Math.min(upper.value, reverse))
  const expected = side === 'between' ? { value: clamped, error: left.error + right.error } : side === 'left' ? left : right
  return agrees(reverse, expected) ? { tag: 'agrees' } : { tag: 'differs', reverse, differences: expected.value }
}

const judged = (reverse: number, slopes: Slopes, rounding: number, side: Side | undefined): Comparison => {
  const slope = slopeFrom(slopes, rounding)
  if (slope.tag === 'slope') return agrees(reverse, slope) ? { tag: 'agrees' } : { tag: 'differs', reverse, differences: slope.value }
  return side === undefined || isJump(slopes) ? { tag: 'kink' } : atKink(reverse, slopes, rounding / slopes.step, side)
}

/** A derivative beside the difference in its direction. What rounding may have done is asked only where it could excuse something. */
const beside = (reverse: number, section: Section, direction: Direction, side?: Side): Comparison => {
  const slopes = slopesAlong(section, direction)
  const exact = judged(reverse, slopes, 0, side)
  return exact.tag === 'agrees' ? exact : judged(reverse, slopes, roundingAlong(section, direction, slopes.step), side)
}

/** What is differentiated: an objective, by some of its sources, and its gradient by each of these. */
export interface Derivative {
  readonly objective: Objective
  readonly sources: readonly AnyTensor[]
  readonly gradient: readonly AnyTensor[]
}

/** The derivative in a direction, by the gradient. What does not move is not asked: 0 times an infinite slope is no number. */
const rate = ({ sources, gradient }: Derivative, base: Values<number>, direction: Direction): number =>
  sources.reduce((total, { node }, k) => {
    const speeds = direction.get(node)!
    return base.get(gradient[k]!.node)!.data.reduce((sum, g, i) => (speeds[i] === 0 ? sum : sum + g * speeds[i]!), total)
  }, 0)

/** A point near by: each float input moved by at most 10⁻⁴. */
const nearby = ({ sources }: Objective, bound: Bound, move: (x: number, i: number, stream: number) => number): Bound => ({
  ...bound,
  values: new Map(
    [...bound.values].map(([path, value], stream) => {
      const moves = sources.some((source) => source.path === path) && hasData(value)
      return [path, moves ? { ...value, data: Array.from(value.data, (x, i) => x + 1e-4 * move(x, i, stream)) } : value]
    }),
  ),
})

/** A direction, which may depend on where one is. */
type Moving = (at: Values<number>) => Direction

/** The comparisons at one point. */
const comparing = (derivative: Derivative, bound: Bound, values: Values<number>) => {
  const section = sectionOf(derivative.objective, derivative.sources, bound, values)
  return (moving: Moving, side?: Side): Comparison => {
    const direction = moving(values)
    return beside(rate(derivative, values, direction), section, direction, side)
  }
}

/**
 * Whether a directional derivative is what differences say. Where a part of the loss is at a kink, the whole may have a derivative that
 * no choice at the part gives; so there a difference counts only if it is there near by as well.
 */
const compared = (derivative: Derivative, bound: Bound, base: Values<number>, near: () => Bound) => {
  const here = comparing(derivative, bound, base)
  const there = () => {
    const point = near()
    const { objective, sources, gradient } = derivative
    return comparing(derivative, point, evaluateTensors([objective.y, ...gradient, ...sources], point, float64))
  }
  return (moving: Moving, side?: Side): Comparison => {
    const first = here(moving, side)
    if (first.tag !== 'differs' || side !== undefined || !mayBeAtKink(derivative.objective, bound)) return first
    return there()(moving).tag === 'differs' ? first : { tag: 'kink' }
  }
}

/** The derivative by each element of a source, beside differences. With a side it is compared at a kink, too. */
export const byElement = (
  objective: Objective,
  source: AnyTensor,
  gradient: AnyTensor,
  bound: Bound,
  base: Values<number>,
  side?: Side,
) => {
  const aside = (_: number, i: number, stream: number): number => 2 * random.uniform(random.fold(random.key(17), stream), i) - 1
  const compare = compared({ objective, sources: [source], gradient: [gradient] }, bound, base, () => nearby(objective, bound, aside))
  const alone = (index: number): Moving => {
    return (values) => new Map([[source.node, values.get(source.node)!.data.map((_, i) => (i === index ? 1 : 0))]])
  }
  return (index: number): Comparison => compare(alone(index), side)
}

/** How fast an element moves that is x: all alike, all in proportion, or both, so that equal elements stay equal. */
const together = (seed: number): ((x: number) => number) => {
  const [all, proportion] = ([[1, 0], [0, 1], [1, -0.5]] as const)[seed % 3]! // prettier-ignore
  return (x) => all + proportion * x
}

/**
 * The derivative in a direction in which equal elements move alike. Where several of them are the greatest there is no derivative by any
 * one of them, but there is one here: the shares that they get must add up.
 */
export const alongTies = (derivative: Derivative, bound: Bound, base: Values<number>, seed: number): Comparison => {
  const near = () => nearby(derivative.objective, bound, (x) => Math.sin(37 * x + 1))
  const speed = together(seed)
  const moving: Moving = (values) => new Map(derivative.sources.map(({ node }) => [node, values.get(node)!.data.map(speed)]))
  return compared(derivative, bound, base, near)(moving)
}
