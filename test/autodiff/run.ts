import { evaluate } from '../../backends/cpu/evaluate.js'
import { type HostTensor, isTensor, leaves, program, type SpecTree, type TensorsOf } from '../../dsl/index.js'
import { right } from '../right.js'

/** The tensors that a function of these inputs makes, in the order of its tree, in float64. */
export const run = <const I>(inputs: I & SpecTree, values: unknown, body: (inputs: TensorsOf<I>) => unknown): readonly HostTensor[] => {
  const p = program({ inputs, body: (given) => ({ outputs: leaves(isTensor)(body(given)).map(({ value }) => value) }) })
  return right(evaluate(p, values as never)).outputs
}

/** The elements of the only result. */
export const elements = <const I>(inputs: I & SpecTree, values: unknown, body: (inputs: TensorsOf<I>) => unknown): readonly number[] =>
  Array.from(run(inputs, values, body)[0]!.data)
