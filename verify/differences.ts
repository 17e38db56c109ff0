import { type Evaluated, evaluateTensors, float64, type Values } from '../backends/cpu/evaluate.js'
import { type AnyTensor, type Bound, type Node, operandsOf, topological } from '../dsl/index.js'
import type { Objective } from './objective.js'

/** A derivative by differences, and how far rounding and the step may have put it off; or none, where the two sides disagree. */
export type Slope =
  | { readonly tag: 'slope'; readonly value: number; readonly error: number }
  | { readonly tag: 'kink'; readonly left: number; readonly right: number }

/** y as a function of one source about a base point: all that does not change with it, and what is stopped, is held there. */
export interface Section {
  readonly y: AnyTensor
  readonly source: AnyTensor
  readonly bound: Bound
  readonly base: Values<number>
  readonly held: Values<number>
  /** The greatest magnitude on the way from the source to y: what rounding is relative to. */
  readonly scale: number
}

/** An expression, and the stopped gradients in it that differences hold. */
type Held = Pick<Objective, 'y' | 'stops'>

/** What changes with the source while those are held. */
const dependents = ({ y, stops }: Held, source: AnyTensor): ReadonlySet<Node> => {
  const found = new Set<Node>([source.node])
  for (const { node } of topological([y]))
    if (!stops.has(node) && operandsOf(node).some((operand) => found.has(operand.node))) found.add(node)
  return found
}

const greatest = ({ data }: Evaluated<number>): number =>
  data.reduce((most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most), 0)

export const sectionOf = (of: Held, source: AnyTensor, bound: Bound, base: Values<number>): Section => {
  const { y } = of
  const moving = dependents(of, source)
  const held = new Map(topological([y]).flatMap(({ node }) => (moving.has(node) ? [] : [[node, base.get(node)!] as const])))
  return { y, source, bound, base, held, scale: [...moving].reduce((most, node) => Math.max(most, greatest(base.get(node)!)), 0) }
}

/** y where element `index` of the source is moved by `by`. */
const valueAt = ({ y, source, bound, base, held }: Section, index: number, by: number): number => {
  const own = base.get(source.node)!
  const moved = { ...own, data: own.data.map((x, i) => (i === index ? x + by : x)) }
  return evaluateTensors([y], bound, float64, new Map([...held, [source.node, moved]])).get(y.node)!.data[0]!
}

/** Steps that a float64 holds: about ∛(machine epsilon), where the errors of rounding and of the step are alike. */
const step = 2 ** -17

const rounding = 64 * 2 ** -52

/**
 * ∂y/∂(source element) by central differences.
 *
 * Of a smooth function the gap between the slopes to the right and to the left is h·f″ and shrinks with the step; at a kink or a jump
 * it does not. So the gap is taken at h and at h/4: where it is worth mentioning and has not halved, there is no derivative to compare with.
 * Nor is there one where the slope itself depends on the step: a jump with the point half-way.
 */
export const slopeAt = (section: Section, index: number): Slope => {
  const { y, source, base, scale } = section
  const h = step * Math.max(1, Math.abs(base.get(source.node)!.data[index]!))
  const here = base.get(y.node)!.data[0]!
  const sides = (by: number) => ({
    left: (here - valueAt(section, index, -by)) / by,
    right: (valueAt(section, index, by) - here) / by,
  })
  const [wide, near] = [sides(h), sides(h / 4)]
  const [wideGap, nearGap] = [wide, near].map(({ left, right }) => Math.abs(right - left)) as [number, number]
  const [far, value] = [wide, near].map(({ left, right }) => (left + right) / 2) as [number, number]
  const noise = (rounding * scale) / (h / 4)
  const sidesAgree = nearGap <= noise + 1e-7 * Math.abs(value) || nearGap <= wideGap / 2
  const stepsAgree = Math.abs(value - far) <= noise + 1e-3 * Math.abs(value)
  return sidesAgree && stepsAgree ? { tag: 'slope', value, error: noise + Math.abs(value - far) } : { tag: 'kink', ...near }
}

/** Whether a derivative agrees with one by differences. */
export const agrees = (derivative: number, { value, error }: { readonly value: number; readonly error: number }): boolean =>
  Math.abs(derivative - value) <= error + 1e-6 * Math.max(Math.abs(derivative), Math.abs(value))
