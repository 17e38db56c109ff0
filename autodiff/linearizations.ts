import { type AnyTensor, build, type NodeOf } from '../dsl/index.js'

const { binary, broadcastTo, map, select, sum } = build

/** The nodes that are neither pointwise nor linear. */
export type CurvedTag = 'max' | 'min'

/** The derivative of a node at a point as a pair of linear maps, each the other's transpose. */
export interface Linearization {
  readonly forward: (tangent: AnyTensor) => AnyTensor
  readonly backward: (ct: AnyTensor) => AnyTensor
}

/** Every element that attains the extreme takes an equal share. None does where there is no element, or one is NaN: the derivative is 0. */
const evenly = ({ x, over }: NodeOf<CurvedTag>, y: AnyTensor): Linearization => {
  const everywhere = broadcastTo(x.axes)
  const attains = binary('equal')(x, everywhere(y))
  const winners = binary('max')(sum(...over)(map('toF32', attains)), 1)
  return {
    forward: (tangent) => binary('div')(sum(...over)(select(attains, tangent, 0)), winners),
    backward: (ct) => select(attains, everywhere(binary('div')(ct, winners)), 0),
  }
}

/** For each curved node, its linearization at the operand and the result. */
export const linearizations: { readonly [T in CurvedTag]: (node: NodeOf<T>, y: AnyTensor) => Linearization } = {
  max: evenly,
  min: evenly,
}
