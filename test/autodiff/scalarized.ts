import { bindOnHost, evaluateTensors, float64, type Values } from '../../backends/cpu/evaluate.js'
import { type AnyTensor, axisNames, type Bound, build, sizes, type Value } from '../../dsl/index.js'
import { type Objective, objectiveOf } from '../../verify/objective.js'
import type { AnyProgram } from '../programs/index.js'
import type { Range } from '../programs/range.js'
import { valueWithin } from '../programs/values.js'
import { right } from '../right.js'

/** A scalar of a generated program, ready to be evaluated, with directions for its sources. */
export interface Scalarized {
  readonly objective: Objective
  readonly bound: Bound
}

const smooth: Range = { low: -1, high: 1, grid: Infinity }

/** Σ over the f32 outputs of ⟨weight, output⟩: its gradient is Jᵀ·weight. Undefined where no output is a float. */
export const scalarized = ({ program, inputs }: AnyProgram): Scalarized | undefined => {
  const floats = Object.values(program.outputs).filter(({ dtype }) => dtype === 'f32')
  if (floats.length === 0) return undefined
  const terms = floats.map((y, i) => build.contract(...axisNames(y))(build.input(`weight.${String(i)}`, 'f32', y.axes), y))
  const bound = right(bindOnHost(program, inputs, {}))
  const weights = floats.map(({ axes }, i): readonly [string, Value] => {
    const own = axes.map(({ size }) => sizes.evaluateSize(size, bound.sizes)!)
    return [`weight.${String(i)}`, valueWithin(smooth, own, 5, i)]
  })
  const loss = terms.reduce((sum, term) => build.binary('add')(sum, term))
  return { objective: objectiveOf(loss), bound: { ...bound, values: new Map([...bound.values, ...weights]) } }
}

/** The bound values with a direction for each source. */
export const withDirections = ({ objective, bound }: Scalarized): Bound => ({
  ...bound,
  values: new Map([
    ...bound.values,
    ...objective.sources.map(({ path }, i): readonly [string, Value] => [
      `direction.${path}`,
      valueWithin(smooth, bound.values.get(path)!.sizes, 6, i),
    ]),
  ]),
})

export const evaluated = (roots: readonly AnyTensor[], bound: Bound): Values<number> => evaluateTensors(roots, bound, float64)

export const numberAt = (values: Values<number>, x: AnyTensor, i = 0): number => values.get(x.node)!.data[i]!
