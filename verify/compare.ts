import { evaluateTensors, float64, type Values } from '../backends/cpu/evaluate.js'
import { type AnyTensor, type Bound, hasData, type Leaf, random } from '../dsl/index.js'
import { agrees, sectionOf, slopeAt } from './differences.js'
import type { Objective } from './objective.js'

/** A derivative by reverse mode beside one by differences; or that there is none to compare with. */
export type Comparison =
  | { readonly tag: 'agrees' }
  | { readonly tag: 'kink' }
  | { readonly tag: 'differs'; readonly reverse: number; readonly differences: number }

/** One input of an objective, and its gradient as a tensor. */
export interface Derivative {
  readonly objective: Objective
  readonly leaf: Leaf<AnyTensor>
  readonly gradient: AnyTensor
}

/** A point near by at which nothing ties: each float input moved by about 10⁻⁴. */
const nearby = ({ sources }: Objective, bound: Bound): Bound => ({
  ...bound,
  values: new Map(
    [...bound.values].map(([path, value], stream) => {
      const from = random.fold(random.key(17), stream)
      const moves = sources.some((source) => source.path === path) && hasData(value)
      return [path, moves ? { ...value, data: Array.from(value.data, (x, i) => x + 2e-4 * (random.uniform(from, i) - 0.5)) } : value]
    }),
  ),
})

/** The comparison, element by element, at one point. */
const comparing = ({ objective, leaf, gradient }: Derivative, bound: Bound, base: Values<number>) => {
  const section = sectionOf(objective, leaf.value, bound, base)
  const own = base.get(gradient.node)!.data
  return (index: number): Comparison => {
    const slope = slopeAt(section, index)
    const reverse = own[index]!
    if (slope.tag === 'kink') return { tag: 'kink' }
    return agrees(reverse, slope) ? { tag: 'agrees' } : { tag: 'differs', reverse, differences: slope.value }
  }
}

/**
 * Whether the derivative by an element is what differences say. Where parts of an expression tie, the whole may have a derivative that
 * no choice at the tie gives: |x|·sign(x) at 0. So a difference counts only if it is there near by as well.
 */
export const comparison = (derivative: Derivative, bound: Bound, base: Values<number>) => {
  const here = comparing(derivative, bound, base)
  return (index: number): Comparison => {
    const first = here(index)
    if (first.tag !== 'differs') return first
    const { objective, leaf, gradient } = derivative
    const near = nearby(objective, bound)
    const second = comparing(derivative, near, evaluateTensors([objective.y, gradient, leaf.value], near, float64))(index)
    return second.tag === 'differs' ? first : { tag: 'kink' }
  }
}
