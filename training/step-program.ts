import { pipe } from 'fp-ts/lib/function.js'
import { valueAndGrad } from '../autodiff/index.js'
import { f32, type Program, program, type Scalar, type Spec, type SpecTree, type TensorsOf } from '../dsl/index.js'
import { adamW, type AdamWSettings, type AdamWState } from './adamw.js'
import { clipByGlobalNorm } from './clip.js'

/** What is learnt: the parameters, what a step is given, and what it makes smaller. */
export interface Learning<P extends SpecTree, B extends SpecTree> {
  /** For people: `supervised`, `grpo`. */
  readonly name: string
  readonly parameters: P
  readonly batch: B
  /** Its gradient is taken in `params` alone. */
  readonly loss: (params: TensorsOf<P>, batch: TensorsOf<B>) => Scalar
  /** AdamW's; its defaults unless given. */
  readonly optimizer?: AdamWSettings
  /** The greatest global norm of the gradients; 1 unless given. */
  readonly maxNorm?: number
}

/** The gradient of a loss whose parameters are any tree of f32 tensors; that they are f32 is not to be seen from here. */
const gradientOf = valueAndGrad as unknown as <P>(
  loss: (params: P) => Scalar,
) => (params: P) => { readonly value: Scalar; readonly grad: P }

interface Step<B> {
  readonly batch: B
  readonly learningRate: Scalar
  /** Which update this is, from 1. */
  readonly step: Scalar
}

/** One update, over trees of tensors: loss, gradients, clipping, AdamW. */
const update =
  <P, B>(loss: (params: P, batch: B) => Scalar, optimizer: AdamWSettings, maxNorm: number) =>
  ({ batch, learningRate, step }: Step<B>, state: AdamWState<P>) => {
    const { value, grad } = gradientOf((params: P) => loss(params, batch))(state.params)
    const { grads, norm } = pipe(grad, clipByGlobalNorm(maxNorm))
    return { outputs: { loss: value, gradNorm: norm }, state: adamW(optimizer)(state, { grads, learningRate, step }) }
  }

/** What an update is given besides its state. */
export type StepInputs<B> = { readonly [K in keyof Step<B>]: K extends 'batch' ? B : Spec<never, 'f32'> }

/** One update as one program, with parameters and moments as state. */
export type StepProgram<P, B> = Program<StepInputs<B>, AdamWState<P>, { readonly loss: Scalar; readonly gradNorm: Scalar }>

/** The program of a step: outputs the loss before the update and the gradients' norm before clipping, and writes the new state over the old. */
export const stepProgram = <P extends SpecTree, B extends SpecTree>(learning: Learning<P, B>): StepProgram<P, B> => {
  const { parameters, batch, loss, optimizer = {}, maxNorm = 1 } = learning
  return program({
    inputs: { batch, learningRate: f32(), step: f32() },
    state: { params: parameters, moments: { mean: parameters, square: parameters } },
    body: update(loss, optimizer, maxNorm),
  })
}
