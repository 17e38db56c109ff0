import { add, div, expm1, mul, neg, type Scalar, sqrt, sub } from '../dsl/index.js'
import { type Parameter, zipParameters } from './parameters.js'

/** Numbers of AdamW that do not change from step to step. */
export interface AdamWSettings {
  /** Decay of the mean of gradients; 0.9 unless given. */
  readonly beta1?: number
  /** Decay of the mean of their squares; 0.999 unless given. */
  readonly beta2?: number
  /** 1e-8 unless given. */
  readonly epsilon?: number
  /** Fraction of a parameter that goes at each update, times the learning rate; 0 unless given. */
  readonly weightDecay?: number
}

/** What AdamW remembers of the gradients: their mean and the mean of their squares, each a tree like the parameters. */
export interface Moments<P> {
  readonly mean: P
  readonly square: P
}

/** What an update reads and replaces. */
export interface AdamWState<P> {
  readonly params: P
  readonly moments: Moments<P>
}

/** What an update is made from. `grads` is a tree like the parameters. */
export interface Update<P> {
  readonly grads: P
  readonly learningRate: Scalar
  /** Which update this is, from 1. */
  readonly step: Scalar
}

/** (1 − β)·x added to β·average */
const towards =
  (beta: number) =>
  (average: Parameter, x: Parameter): Parameter =>
    add(mul(beta, average), mul(1 - beta, x))

/** 1 − βᵗ, the share of t updates in an average that began at 0; exact where β is near 1. */
const weightOf = (beta: number, step: Scalar): Scalar => neg(expm1(mul(step, Math.log(beta))))

/**
 *   m ← β₁m + (1 − β₁)g        v ← β₂v + (1 − β₂)g²
 *   p ← p − η·( m/(1 − β₁ᵗ) / (√(v/(1 − β₂ᵗ)) + ε) + λp )
 *
 * Source: Decoupled Weight Decay Regularization, arXiv:1711.05101, algorithm 2; as PyTorch.
 */
export const adamW =
  ({ beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, weightDecay = 0 }: AdamWSettings = {}) =>
  <P>({ params, moments }: AdamWState<P>, { grads, learningRate, step }: Update<P>): AdamWState<P> => {
    const mean = zipParameters(towards(beta1))(moments.mean, grads)
    const square = zipParameters((v, g) => towards(beta2)(v, mul(g, g)))(moments.square, grads)
    const direction = zipParameters((m, v) => div(div(m, weightOf(beta1, step)), add(sqrt(div(v, weightOf(beta2, step))), epsilon)))(
      mean,
      square,
    )
    const next = zipParameters((p, d) => sub(p, mul(learningRate, weightDecay === 0 ? d : add(d, mul(weightDecay, p)))))(params, direction)
    return { params: next, moments: { mean, square } }
  }
