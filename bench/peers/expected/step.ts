import type { DecoderSizes } from '../inputs/decoder.js'
import { parameterShapes } from '../inputs/decoder.js'
import type { Inputs } from '../inputs/index.js'
import { decode, type Parameters } from './decoder.js'
import { logProbs } from './log-probs.js'
import type { Matrix } from './matrix.js'
import { policyLoss } from './policy-loss.js'

/** AdamW's settings, of every contender. */
export const adamWSettings = { learningRate: 1e-3, beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weightDecay: 0.01 }

const lossOf = (sizes: DecoderSizes, { x, y, old, ref, adv, mask }: Inputs, params: Parameters) => {
  const decoded = decode(sizes, params, x!.data)
  const scored = logProbs(decoded.logits, y!.data, sizes.vocab)
  const { value, grad } = policyLoss({ logp: scored.value, old: old!.data, ref: ref!.data, adv: adv!.data, mask: mask!.data })
  return { loss: value, gradient: (): Parameters => decoded.pull(scored.pull(grad)) }
}

/** A parameter after its first update, the moments being 0 before. */
const updated = (parameter: Matrix, grad: Matrix): Matrix => {
  const { learningRate, epsilon, weightDecay } = adamWSettings
  return parameter.map((p, i) => p - learningRate * (grad[i]! / (Math.abs(grad[i]!) + epsilon) + weightDecay * p))
}

const mapped = (params: Parameters, f: (x: Matrix, name: string) => Matrix): Parameters =>
  Object.fromEntries(Object.entries(params).map(([name, x]) => [name, f(x, name)]))

/**
 * The loss of the first step, AdamW's first moment of each parameter behind it, which is the gradient but for a factor, and the loss of the
 * second step, which the first one's update is seen in. (An updated parameter itself is as good as a sign: where the gradient is near 0 a
 * rounding turns it.)
 */
export const twoSteps = (sizes: DecoderSizes, inputs: Inputs): Readonly<Record<string, ArrayLike<number>>> => {
  const params = Object.fromEntries(parameterShapes(sizes).map(([name]) => [name, Float64Array.from(inputs[name]!.data)]))
  const first = lossOf(sizes, inputs, params)
  const gradient = first.gradient()
  const second = lossOf(
    sizes,
    inputs,
    mapped(params, (x, name) => updated(x, gradient[name]!)),
  )
  const moments = mapped(gradient, (grad) => grad.map((g) => (1 - adamWSettings.beta1) * g))
  return { loss: [first.loss], next: [second.loss], ...moments }
}
