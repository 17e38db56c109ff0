import type { DType } from './dtype.js'
import { nodeLabel, typeText } from './label.js'
import type { Node } from './node.js'
import type { Demand } from './demand.js'
import type { Size } from './size.js'

/** A named dimension. */
export interface Axis {
  readonly name: string
  readonly size: Size
}

/** Any tensor: the untyped base of `Tensor`. The order of `axes` is the order in memory, last fastest. */
export interface AnyTensor {
  readonly dtype: DType
  readonly axes: readonly Axis[]
  readonly node: Node
  /** What must hold of the sizes once they are bound, where building could not decide it. */
  readonly demands: readonly Demand[]
}

declare const axesTag: unique symbol

/** A tensor whose axes are the union `A` of their names; a scalar is `Tensor<never>`. Sizes and memory order are run-time facts. */
export interface Tensor<in out A extends string, in out D extends DType = 'f32'> extends AnyTensor {
  /** Never there. It is covariant, and `in out` makes it invariant, so that tsc's message about axes is one line. */
  readonly [axesTag]: A
  readonly dtype: D
}

export type Scalar<D extends DType = 'f32'> = Tensor<never, D>

/** What a result over the axes A must be besides a tensor: nothing more where there are none, or none are known; else a sentence, which nothing is. */
export type OnlyScalar<A extends string> = [A] extends [never]
  ? unknown
  : string extends A
    ? unknown
    : 'the result must be a scalar: sum or mean over the axes that are left'

export const axisNames = (x: AnyTensor): readonly string[] => x.axes.map(({ name }) => name)

export const axisOf = (x: AnyTensor, name: string): Axis | undefined => x.axes.find((axis) => axis.name === name)

/** The axes of x that y does not have. */
export const axesMissingFrom = (y: AnyTensor, x: AnyTensor): readonly Axis[] => x.axes.filter(({ name }) => axisOf(y, name) === undefined)

const inspectCustom = Symbol.for('nodejs.util.inspect.custom')

function describe(this: AnyTensor): string {
  return `${nodeLabel(this.node)} ${typeText(this)}`
}

/** How a tensor prints: as one line. A failed assertion shall not print a graph as a tree. */
const printing = { toJSON: describe, [inspectCustom]: describe }

/** A tensor as plain data. */
export const tensor = (dtype: DType, axes: readonly Axis[], node: Node, demands: readonly Demand[] = []): AnyTensor => {
  const made = { __proto__: printing, dtype, axes, node, demands }
  return made
}

export const isTensor = (value: unknown): value is AnyTensor =>
  typeof value === 'object' && value !== null && 'node' in value && 'axes' in value && 'demands' in value
