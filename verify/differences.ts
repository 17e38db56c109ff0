import { type Evaluated, evaluateTensors, float64, type Values } from '../backends/cpu/evaluate.js'
import { type AnyTensor, type Bound, madeOf, type Node, topological } from '../dsl/index.js'
import { bounds } from './error-bound/arithmetic.js'
import { exactly } from './error-bound/bounded.js'
import type { Objective } from './objective.js'

/** How fast each element of some sources moves. */
export type Direction = ReadonlyMap<Node, readonly number[]>

/** y as a function of some sources about a base point: all that does not change with them, and what is stopped, is held there. */
export interface Section {
  readonly y: AnyTensor
  readonly bound: Bound
  readonly base: Values<number>
  readonly held: Values<number>
  /** The greatest magnitude on the way from the sources to y: what rounding is relative to. */
  readonly scale: number
}

/** An expression, and the stopped gradients in it that differences hold. */
type Held = Pick<Objective, 'y' | 'stops'>

/** What changes with the sources while those are held. */
export const dependents = ({ y, stops }: Held, sources: readonly AnyTensor[]): ReadonlySet<Node> => {
  const found = new Set<Node>(sources.map(({ node }) => node))
  for (const { node } of topological([y])) if (!stops.has(node) && madeOf(node).some((operand) => found.has(operand.node))) found.add(node)
  return found
}

/** The greatest finite magnitude among the elements of some tensors. */
export const greatest = (tensors: readonly Evaluated<number>[]): number =>
  tensors.reduce((most, { data }) => data.reduce((m, x) => (Number.isFinite(x) ? Math.max(m, Math.abs(x)) : m), most), 0)

export const sectionOf = (of: Held, sources: readonly AnyTensor[], bound: Bound, base: Values<number>): Section => {
  const { y } = of
  const moving = dependents(of, sources)
  const held = new Map(topological([y]).flatMap(({ node }) => (moving.has(node) ? [] : [[node, base.get(node)!] as const])))
  return { y, bound, base, held, scale: greatest([...moving].map((node) => base.get(node)!)) }
}

/** All that is held, the sources where they have moved so far in a direction. */
const heldAt = ({ base, held }: Section, direction: Direction, by: number): Values<number> => {
  const hold = new Map(held)
  for (const [node, speeds] of direction) {
    const own = base.get(node)!
    hold.set(node, { ...own, data: own.data.map((x, i) => x + by * speeds[i]!) })
  }
  return hold
}

const valueAt = (section: Section, direction: Direction, by: number): number => {
  const { y, bound } = section
  return evaluateTensors([y], bound, float64, heldAt(section, direction, by)).get(y.node)!.data[0]!
}

/** The slopes to either side of the base point, with a step and with a quarter of it. */
export interface Slopes {
  readonly wide: { readonly left: number; readonly right: number }
  readonly near: { readonly left: number; readonly right: number }
  /** The smaller of the two steps. */
  readonly step: number
}

/** Steps that a float64 holds: about ∛(machine epsilon), where the errors of rounding and of the step are alike. */
const step = 2 ** -17

export const slopesAlong = (section: Section, direction: Direction): Slopes => {
  const { y, base } = section
  const moved = [...direction].flatMap(([node, speeds]) => base.get(node)!.data.filter((_, i) => speeds[i] !== 0))
  const h = step * moved.reduce((most, x) => Math.max(most, Math.abs(x)), 1)
  const here = base.get(y.node)!.data[0]!
  const sides = (by: number) => ({
    left: (here - valueAt(section, direction, -by)) / by,
    right: (valueAt(section, direction, by) - here) / by,
  })
  return { wide: sides(h), near: sides(h / 4), step: h / 4 }
}

/** A derivative by differences, and how far rounding and the step may have put it off; or none, where the two sides disagree. */
export type Slope = { readonly tag: 'slope'; readonly value: number; readonly error: number } | { readonly tag: 'kink' }

/**
 * The derivative by central differences, where y may be off by `rounding`.
 *
 * Of a smooth function the gap between the slopes to the right and to the left is h·f″ and shrinks with the step; at a kink or a jump
 * it does not. So the gap is taken at h and at h/4: where it is worth mentioning and has not halved, there is no derivative to compare with.
 * Nor is there one where the slope itself depends on the step: a jump with the point half-way.
 */
export const slopeFrom = ({ wide, near, step: h }: Slopes, rounding: number): Slope => {
  const [wideGap, nearGap] = [wide, near].map(({ left, right }) => Math.abs(right - left)) as [number, number]
  const [far, value] = [wide, near].map(({ left, right }) => (left + right) / 2) as [number, number]
  const noise = rounding / h
  const sidesAgree = nearGap <= noise + 1e-7 * Math.abs(value) || nearGap <= wideGap / 2
  const steepest = Math.max(Math.abs(wide.left), Math.abs(wide.right)) // where both sides rise, the slope between them is 0
  const stepsAgree = Math.abs(value - far) <= noise + 1e-3 * steepest
  return sidesAgree && stepsAgree ? { tag: 'slope', value, error: noise + Math.abs(value - far) } : { tag: 'kink' }
}

/** Whether a derivative agrees with one by differences. */
export const agrees = (derivative: number, { value, error }: { readonly value: number; readonly error: number }): boolean =>
  Math.abs(derivative - value) <= error + 1e-6 * Math.max(Math.abs(derivative), Math.abs(value))

/** From a bound for float32 to one for float64. */
const finer = 2 ** (24 - 53)

/**
 * How far rounding may put y off: by the running error bound, or, where that says little (a comparison that float32 cannot decide), in
 * proportion to the greatest magnitude on the way. What is held is exact.
 */
export const roundingOf = (y: AnyTensor, bound: Bound, held: Values<number>, scale: number): number => {
  const exact = [...held].map(([node, own]) => [node, { ...own, data: own.data.map(exactly) }] as const)
  const { error } = evaluateTensors([y], bound, bounds(), new Map(exact)).get(y.node)!.data[0]!
  return Math.min(2 * finer * error, 64 * 2 ** -52 * scale)
}

/** The same of a section, near by in a direction. */
export const roundingAlong = (section: Section, direction: Direction, by: number): number =>
  roundingOf(section.y, section.bound, heldAt(section, direction, by), section.scale)
