import fc from 'fast-check'
import { comparison } from '../../verify/compare.js'
import { alongDirection, forwards, gradients, type Objective } from '../../verify/objective.js'
import type { Bound } from '../../dsl/index.js'
import { law } from '../law.js'
import { type AnyProgram, programsOf } from '../programs/index.js'
import { evaluated, numberAt, scalarized, withDirections } from './scalarized.js'

const close = (a: number, b: number, scale: number): boolean => Math.abs(a - b) <= 1e-11 * (1 + scale)

/** A derivative is by inputs. */
const anyProgram = programsOf({ states: 0 })

/** Every derivative of an objective beside what differences make of it; kinks are left out. */
const disagreements = (objective: Objective, bound: Bound): readonly string[] => {
  const gradient = gradients(objective)
  const base = evaluated([objective.y, ...gradient, ...objective.sources.map(({ value }) => value)], bound)
  return objective.sources.flatMap((leaf, k) => {
    const compare = comparison({ objective, leaf, gradient: gradient[k]! }, bound, base)
    return base.get(leaf.value.node)!.data.flatMap((_, i) => {
      const found = compare(i)
      if (found.tag !== 'differs') return []
      return [`${leaf.path}[${String(i)}]: ${String(found.reverse)} by reverse mode, ${String(found.differences)} by differences`]
    })
  })
}

const throughout = (p: AnyProgram, holds: (objective: Objective, bound: Bound) => boolean): boolean => {
  const made = scalarized(p)
  return made === undefined || holds(made.objective, withDirections(made))
}

const nothingWrong = (found: readonly string[]): boolean => {
  if (found.length > 0) throw new Error(found.join('\n'))
  return true
}

// ⟨ct, J·v⟩ = ⟨Jᵀ·ct, v⟩
law(
  'forward and reverse mode are adjoint',
  fc.property(anyProgram, (p) =>
    throughout(p, (objective, bound) => {
      const reverse = alongDirection(objective, gradients(objective)).y
      const forward = forwards(objective)
      const values = evaluated([forward, reverse], bound)
      const [left, right] = [numberAt(values, forward), numberAt(values, reverse)]
      return close(left, right, Math.abs(left) + Math.abs(right))
    }),
  ),
  { runs: 1000 },
)

law(
  'reverse mode is what central differences tend to',
  fc.property(anyProgram, (p) => throughout(p, (objective, bound) => nothingWrong(disagreements(objective, bound)))),
  { runs: 1000 },
)

law(
  'the gradient of a gradient is what differences of gradients tend to',
  fc.property(anyProgram, (p) =>
    throughout(p, (objective, bound) => nothingWrong(disagreements(alongDirection(objective, gradients(objective)), bound))),
  ),
  { runs: 1000 },
)

law(
  'forward mode over reverse mode is reverse mode over reverse mode',
  fc.property(anyProgram, (p) =>
    throughout(p, (objective, bound) => {
      const first = alongDirection(objective, gradients(objective))
      const reverse = alongDirection(first, gradients(first)).y
      const forward = forwards(first)
      const values = evaluated([forward, reverse], bound)
      const [left, right] = [numberAt(values, forward), numberAt(values, reverse)]
      return close(left, right, Math.abs(left) + Math.abs(right))
    }),
  ),
  { runs: 1000 },
)
