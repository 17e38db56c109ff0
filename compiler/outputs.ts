import { type HostData, type HostTensor, isTensor, mapTree, sizes } from '../dsl/index.js'
import type { Made, Plan } from './plan.js'

/** The outputs of a run as the tree that the program gives, from the data of each. */
export const outputTree = (plan: Plan, bound: ReadonlyMap<string, number>, dataOf: (output: Made, place: number) => HostData): unknown => {
  const made = new Map(plan.outputs.map((output, place) => [output.path, { output, place }]))
  return mapTree(isTensor)((_, path): HostTensor | undefined => {
    const found = made.get(path)
    return (
      found && {
        axes: found.output.axes.map(({ name }) => name),
        sizes: found.output.axes.map(({ size }) => sizes.evaluateSize(size, bound) ?? 0),
        data: dataOf(found.output, found.place),
      }
    )
  })(plan.program.outputs, 'outputs')
}
