import * as E from 'fp-ts/lib/Either.js'
import { bindOnHost, evaluateTensors, float64, type Values } from '../../backends/cpu/evaluate.js'
import {
  type AnySpec,
  type AnyTensor,
  axisNames,
  type Bound,
  build,
  isTensor,
  leaves,
  program,
  sizes,
  type Value,
} from '../../dsl/index.js'
import { type Objective, objectiveOf } from '../../verify/objective.js'
import type { AnyProgram } from '../programs/index.js'
import { valueWithin } from '../programs/values.js'
import { right } from '../right.js'

/** A scalar of a generated program, ready to be evaluated, with directions for its sources. */
export interface Scalarized {
  readonly objective: Objective
  readonly bound: Bound
}

const weightFor = (y: AnyTensor): AnySpec => ({ spec: 'tensor', dtype: 'f32', axes: y.axes })

/** Σ over the f32 outputs of ⟨weight, output⟩: its gradient is Jᵀ·weight. Undefined where no output is a float. */
export const scalarized = ({ program: p, inputs }: AnyProgram): Scalarized | undefined => {
  const outputs = leaves(isTensor)(p.outputs).filter(({ value }) => value.dtype === 'f32')
  if (outputs.length === 0) return undefined
  const weightSpecs = outputs.map(({ value }, i) => [`weight${String(i)}`, weightFor(value)] as const)
  const specs = { ...(p.inputs as Readonly<Record<string, AnySpec>>), ...Object.fromEntries(weightSpecs) }
  const loss = outputs
    .map(({ value }, i) => {
      const weight = build.stopGradient(build.input(`inputs.weight${String(i)}`, 'f32', value.axes))
      return build.contract(...axisNames(value))(weight, value)
    })
    .reduce((sum, term) => build.binary('add')(sum, term))
  const whole = program({ inputs: specs, body: () => ({ outputs: { loss } }) })
  const bindSizes = E.getOrElseW(() => undefined)(bindOnHost(p, inputs, {}))?.sizes ?? new Map<string, number>()
  const weights = outputs.map(({ value }, i): readonly [string, Value] => {
    const own = value.axes.map(({ size }) => sizes.evaluateSize(size, bindSizes)!)
    return [`weight${String(i)}`, valueWithin({ low: -1, high: 1, grid: Infinity }, own, 5, i)]
  })
  const bound = right(bindOnHost(whole, { ...inputs, ...Object.fromEntries(weights) }, {}))
  return { objective: objectiveOf(whole.outputs.loss), bound }
}

/** The bound values with a direction for each source. */
export const withDirections = ({ objective, bound }: Scalarized): Bound => ({
  ...bound,
  values: new Map([
    ...bound.values,
    ...objective.sources.map(({ path }, i): readonly [string, Value] => [
      `direction.${path}`,
      valueWithin({ low: -1, high: 1, grid: Infinity }, bound.values.get(path)!.sizes, 6, i),
    ]),
  ]),
})

export const evaluated = (roots: readonly AnyTensor[], bound: Bound): Values<number> => evaluateTensors(roots, bound, float64)

export const numberAt = (values: Values<number>, x: AnyTensor, i = 0): number => values.get(x.node)!.data[i]!
