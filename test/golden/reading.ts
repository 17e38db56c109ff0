import * as E from 'fp-ts/lib/Either.js'
import { evaluate, type EvaluateOptions } from '../../backends/cpu/evaluate.js'
import { type HostTensor, leaves, type Program } from '../../dsl/index.js'

/** |x − expected| ≤ atol + rtol·|expected| */
export interface Tolerance {
  readonly rtol: number
  readonly atol: number
}

/** One way to run a program: the float64 reference, a backend. The same rows are checked by each. */
export interface Reading {
  readonly name: string
  readonly tolerance: Tolerance
  /** The outputs by path, without the root: `value`, `metrics.kl`. */
  readonly run: (program: Program<unknown, unknown, unknown>, inputs: unknown) => Promise<ReadonlyMap<string, HostTensor>>
}

const isHostTensor = (tree: unknown): tree is HostTensor => typeof tree === 'object' && tree !== null && 'axes' in tree && 'data' in tree

export const outputsByPath = (outputs: unknown): ReadonlyMap<string, HostTensor> =>
  new Map(leaves(isHostTensor)(outputs).map(({ path, value }) => [path, value]))

const reference = (precision: NonNullable<EvaluateOptions['precision']>, tolerance: Tolerance): Reading => ({
  name: `reference in ${precision}`,
  tolerance,
  run: (program, inputs) => {
    const made = evaluate(program, inputs as never, undefined, { precision })
    return E.isLeft(made)
      ? Promise.reject(new Error(JSON.stringify(made.left, null, 2)))
      : Promise.resolve(outputsByPath(made.right.outputs))
  },
})

export const float64: Reading = reference('f64', { rtol: 1e-9, atol: 1e-12 })

export const float32: Reading = reference('f32', { rtol: 1e-4, atol: 1e-5 })

/** The readings that every row is checked by. A compiled backend is one more line here. */
export const readings: readonly Reading[] = [float64, float32]
