import type { LibraryLoss, StepCounts } from '../../algorithms/index.js'
import { valueAndGrad } from '../../autodiff/index.js'
import { evaluate, type EvaluateOptions } from '../../backends/cpu/evaluate.js'
import { type AnyTensor, f32, type Loss, type Program, program, type Scalar, type TensorTree, type Value } from '../../dsl/index.js'
import { right } from '../right.js'
import { type Batch, type ByPath, flat, nest } from './catalogue.js'

export interface Lost {
  readonly value: number
  /** By each float input. */
  readonly grads: ByPath<Value>
}

type Untyped = Program<unknown, unknown, unknown>

const untyped = program as (parts: {
  readonly inputs: unknown
  readonly body: (given: unknown) => { readonly outputs: TensorTree }
}) => Untyped

const lossOfTree = (inputs: unknown, loss: (given: never) => Scalar): Untyped =>
  untyped({
    inputs,
    body: (given) => {
      const tensors = Object.entries(flat(given) as ByPath<AnyTensor>)
      const isSource = ([path, { dtype }]: readonly [string, AnyTensor]): boolean => dtype === 'f32' && !path.startsWith('step.')
      const data = Object.fromEntries(tensors.filter((leaf) => !isSource(leaf)))
      const sources = Object.fromEntries(tensors.filter(isSource)) as ByPath<Scalar>
      return { outputs: valueAndGrad((p: ByPath<Scalar>) => loss(nest({ ...data, ...p }) as never))(sources) }
    },
  })

const read =
  (made: Untyped, options: EvaluateOptions) =>
  (values: ByPath<Value>): Lost => {
    const { value, grad } = right(evaluate(made, nest(values) as never, undefined, options)).outputs as {
      readonly value: Value
      readonly grad: ByPath<Value>
    }
    return { value: value.data[0]!, grads: grad }
  }

/** A loss and its gradients, traced once. */
export const lossReader = (loss: Loss<unknown>, options: EvaluateOptions = {}): ((batch: Batch) => Lost) => {
  const readValues = read(lossOfTree(loss.inputs, loss.loss), options)
  return ({ values }) => readValues(values)
}

export type Counts<N> = Readonly<Record<keyof StepCounts, N>>

const stepSpec = { tokens: f32(), rows: f32(), nonEmptyRows: f32() }

/** A loss as of one micro-batch of a step, traced once for any counts. */
export const microBatchReader = ({ loss, ofStep }: LibraryLoss): ((batch: Batch, counts: Counts<number>) => Lost) => {
  const made = lossOfTree(Object.assign({ step: stepSpec }, loss.inputs), ({ step, ...given }: { readonly step: Counts<Scalar> }) =>
    ofStep(step).loss(given),
  )
  const readValues = read(made, {})
  return ({ values }, counts) => {
    const step = Object.entries(counts).map(([name, n]) => [`step.${name}`, { sizes: [], data: [n] }] as const)
    return readValues({ ...values, ...Object.fromEntries(step) })
  }
}
