import type { Rules } from '../../autodiff/index.js'
import type { AnyTensor, Bound } from '../../dsl/index.js'
import { byElement } from '../../verify/compare.js'
import { someElements } from '../../verify/examine.js'
import { alongDirection, forwards, gradients, type Objective } from '../../verify/objective.js'
import { evaluated, numberAt, type Scalarized, withDirections } from './scalarized.js'

/** What is wrong with the derivative of a program by some rules, those of the language unless others are given; undefined where nothing is. */
export type Claim = (made: Scalarized, rules?: Rules) => string | undefined

const alike = (bound: Bound, first: AnyTensor, ...others: readonly AnyTensor[]): string | undefined => {
  const values = evaluated([first, ...others], bound)
  const [expected, ...found] = [first, ...others].map((x) => numberAt(values, x)) as [number, ...number[]]
  const odd = found.find((x) => !Object.is(x, expected) && !(Math.abs(x - expected) <= 1e-11 * (1 + Math.abs(x) + Math.abs(expected))))
  return odd === undefined ? undefined : `${String(odd)} is not ${String(expected)}`
}

/** Derivatives of an objective, some of each input, beside what differences make of them; kinks are left out. */
const disagreement = (objective: Objective, bound: Bound, rules?: Rules): string | undefined => {
  const gradient = gradients(objective, rules)
  const base = evaluated([objective.y, ...gradient, ...objective.sources.map(({ value }) => value)], bound)
  for (const [k, { path, value }] of objective.sources.entries()) {
    const compare = byElement(objective, value, gradient[k]!, bound, base)
    for (const i of someElements(base.get(value.node)!.data.length, k)) {
      const found = compare(i)
      if (found.tag === 'differs')
        return `${path}[${String(i)}] is ${String(found.reverse)} by reverse mode, ${String(found.differences)} by differences`
    }
  }
  return undefined
}

/** ⟨∇f, v⟩, as more graph. */
const slope = ({ objective }: Scalarized, rules?: Rules): Objective => alongDirection(objective, gradients(objective, rules))

/** ⟨ct, J·v⟩ = ⟨Jᵀ·ct, v⟩ */
export const modesAreAdjoint: Claim = (made, rules) => alike(withDirections(made), forwards(made.objective, rules), slope(made, rules).y)

export const reverseIsDifferences: Claim = ({ objective, bound }, rules) => disagreement(objective, bound, rules)

export const secondIsDifferences: Claim = (made, rules) => disagreement(slope(made, rules), withDirections(made), rules)

/** vᵀ·H·v by either mode over either mode. */
export const secondModesAreAdjoint: Claim = (made, rules) => {
  const [reverse, forward] = [slope(made, rules), { ...made.objective, y: forwards(made.objective, rules) }]
  const byReverse = (of: Objective): AnyTensor => alongDirection(of, gradients(of, rules)).y
  return alike(withDirections(made), byReverse(reverse), forwards(reverse, rules), byReverse(forward), forwards(forward, rules))
}
