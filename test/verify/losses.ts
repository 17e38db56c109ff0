import { pipe } from 'fp-ts/lib/function.js'
import {
  bool,
  clip,
  defineLoss,
  exp,
  f32,
  i32,
  log,
  mean,
  min,
  mul,
  neg,
  sqrt,
  stopGradient,
  sub,
  sum,
  tokenLogProbs,
  where,
} from '../../dsl/index.js'

/** −mean of min(r·A, clip(r)·A), the log-probabilities of padding left out at the entrance. */
export const surrogate = defineLoss({
  name: 'surrogate',
  inputs: {
    logProbs: f32('batch', 'time'),
    oldLogProbs: f32('batch', 'time'),
    advantages: f32('batch'),
    responseMask: bool('batch', 'time'),
  },
  loss: ({ logProbs, oldLogProbs, advantages, responseMask }) => {
    const ratio = exp(sub(pipe(logProbs, where(responseMask)), pipe(oldLogProbs, where(responseMask), stopGradient)))
    const surrogate = min(mul(ratio, advantages), mul(pipe(ratio, clip(0.8, 1.2)), advantages))
    return pipe(surrogate, where(responseMask), mean('batch', 'time'), neg)
  },
})

/** Cross-entropy of the chosen tokens. */
export const crossEntropy = defineLoss({
  name: 'cross-entropy',
  inputs: { logits: f32('time', 'vocab'), ids: i32('time') },
  loss: ({ logits, ids }) => pipe(logits, tokenLogProbs('vocab')(ids), mean('time'), neg),
})

/** A fit that squares its parameters' products, with a tree of them. */
export const regression = defineLoss({
  name: 'regression',
  inputs: { x: f32('batch', 'time'), layers: [{ weight: f32('time') }, { weight: f32('time') }] },
  loss: ({ x, layers: [first, second] }) => {
    const error = sub(mul(x, first.weight), exp(second.weight))
    return pipe(mul(error, error), sum('batch', 'time'))
  },
})

/** Wrong by design: the square root of a sum that may be negative. */
export const undefinedBelowZero = defineLoss({
  name: 'undefined below zero',
  inputs: { x: f32('time') },
  loss: ({ x }) => pipe(x, sum('time'), log, sqrt),
})
