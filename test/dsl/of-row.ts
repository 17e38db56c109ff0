import { valueAndGrad } from '../../autodiff/index.js'
import { evaluate } from '../../backends/cpu/evaluate.js'
import { interpret, plan } from '../../compiler/index.js'
import { bool, f32, type MadeBy, program, type Scalar, type Tensor } from '../../dsl/index.js'
import { right } from '../right.js'

/** A number made of a row of numbers, and of a mask of it. */
export type OfRow = (x: Tensor<'n'>, mask: Tensor<'n', 'bool'>) => Scalar

/** A value, and its gradient by each number of the row. */
export interface Read {
  readonly value: number
  readonly slopes: readonly number[]
}

type Reader = (x: readonly number[], mask?: readonly number[]) => Read

const programOf = (f: OfRow) =>
  program({
    inputs: { x: f32('n'), mask: bool('n') },
    body: ({ x, mask }) => ({ outputs: valueAndGrad((y: Tensor<'n'>) => f(y, mask))(x) }),
  })

type Made = MadeBy<ReturnType<typeof programOf>['outputs']>

const reader =
  (made: (given: unknown) => Made): Reader =>
  (x, mask = x.map(() => 1)) => {
    const sizes = [x.length]
    const { value, grad } = made({ x: { sizes, data: x }, mask: { sizes, data: mask } })
    return { value: value.data[0]!, slopes: Array.from(grad.data) }
  }

/** What the reference makes of it, in float64. */
export const in64 = (f: OfRow): Reader => {
  const p = programOf(f)
  return reader((given) => right(evaluate(p, given as never)).outputs)
}

/** What its kernels make of it, in float32. */
export const in32 = (f: OfRow): Reader => {
  const run = interpret(right(plan(programOf(f))))
  return reader((given) => right(run(given as never)).outputs)
}
