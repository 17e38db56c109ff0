import { type AnyTensor, build, type Direction, type NodeOf } from '../dsl/index.js'

const { shifted, linearRecurrence, binary, broadcastTo, map, select, sum } = build

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

const opposite: { readonly [D in Direction]: Direction } = { forward: 'backward', backward: 'forward' }

/** The derivative of a recurrence at a point: in x it is linear, and what a changes at a place goes on from there. */
export interface RecurrenceLinearization {
  readonly forward: (tangents: { readonly a?: AnyTensor | undefined; readonly x?: AnyTensor | undefined }) => AnyTensor | undefined
  readonly backward: (ct: AnyTensor) => { readonly a: AnyTensor; readonly x: AnyTensor }
}

/**
 *   ẏ = rec(a, ẋ + ȧ·y₋₁)
 *   x̄ = rec(a₊₁, ȳ) the other way,  ā = x̄·y₋₁
 *
 * with y₋₁ the result at the place before (0 at the first) and a₊₁ the coefficient at the place behind.
 */
export const recurrence = ({ a, axis, direction }: NodeOf<'linearRecurrence'>, y: AnyTensor): RecurrenceLinearization => {
  const previous = shifted(axis, direction)(y)
  return {
    forward: (tangents) => {
      const changed = tangents.a && binary('mul')(previous, tangents.a)
      const input = tangents.x && changed ? binary('add')(tangents.x, changed) : (tangents.x ?? changed)
      return input && linearRecurrence(axis, direction)(a, input)
    },
    backward: (ct) => {
      const x = linearRecurrence(axis, opposite[direction])(shifted(axis, opposite[direction])(a), ct)
      return { a: binary('mul')(x, previous), x }
    },
  }
}

/** For each curved node, its linearization at the operand and the result. */
export const linearizations: { readonly [T in CurvedTag]: (node: NodeOf<T>, y: AnyTensor) => Linearization } = {
  max: evenly,
  min: evenly,
}
