/** A loss as a user writes it, with a policy of its own: what its types cost tsc is counted (`types.test.ts`). */
import { pipe } from 'fp-ts/lib/function.js'
import { groupAdvantages, klK3, policyRatio, presets, responseOnly } from 'axgrad/algorithms'
import {
  add,
  bool,
  broadcast,
  clip,
  contract,
  cumulativeSum,
  defineLoss,
  exp,
  f32,
  gather,
  greater,
  i32,
  iota,
  lessEqual,
  linearRecurrence,
  logSoftmax,
  logSumExp,
  maskedMean,
  maximum,
  mean,
  merge,
  min,
  mul,
  neg,
  rename,
  rsqrt,
  select,
  sigmoid,
  sizeAlong,
  slice,
  softmax,
  split,
  stopGradient,
  sub,
  sum,
  type Tensor,
  toF32,
  tokenLogProbs,
  where,
} from 'axgrad/dsl'

type Stream = Tensor<'batch' | 'time' | 'embed'>

interface Layer {
  readonly norm: Tensor<'embed'>
  readonly query: Tensor<'embed' | 'head' | 'width'>
  readonly key: Tensor<'embed' | 'head' | 'width'>
  readonly value: Tensor<'embed' | 'head' | 'width'>
  readonly output: Tensor<'head' | 'width' | 'embed'>
  readonly up: Tensor<'embed' | 'ffn'>
  readonly down: Tensor<'ffn' | 'embed'>
}

const normed =
  (scale: Tensor<'embed'>) =>
  (x: Stream): Stream =>
    mul(mul(x, rsqrt(add(pipe(mul(x, x), mean('embed')), 1e-6))), scale)

const attended =
  ({ query, key, value, output }: Layer) =>
  (x: Stream): Stream => {
    const time = sizeAlong('time')(x)
    const keys = pipe(contract('embed')(x, key), rename({ time: 'place' }))
    const values = pipe(contract('embed')(x, value), rename({ time: 'place' }))
    const past = lessEqual(pipe(iota('place', time), broadcast({ time })), iota('time', time))
    const scores = mul(contract('width')(contract('embed')(x, query), keys), 0.25)
    const shares = pipe(select(past, scores, -Infinity), softmax('place'))
    return contract('head', 'width')(contract('place')(shares, values), output)
  }

const fed =
  ({ up, down }: Layer) =>
  (x: Stream): Stream => {
    const wide = contract('embed')(x, up)
    return contract('ffn')(mul(wide, sigmoid(wide)), down)
  }

const block =
  (layer: Layer) =>
  (x: Stream): Stream => {
    const y = add(x, pipe(x, normed(layer.norm), attended(layer)))
    return add(y, pipe(y, normed(layer.norm), fed(layer)))
  }

const layer = {
  norm: f32('embed'),
  query: f32('embed', 'head', 'width'),
  key: f32('embed', 'head', 'width'),
  value: f32('embed', 'head', 'width'),
  output: f32('head', 'width', 'embed'),
  up: f32('embed', 'ffn'),
  down: f32('ffn', 'embed'),
}

export const loss = defineLoss({
  name: 'actor and critic',
  inputs: {
    params: { embedding: f32('vocab', 'embed'), layers: [layer, layer], critic: f32('embed') },
    ids: i32('batch', 'time'),
    targets: i32('batch', 'time'),
    oldLogProbs: f32('batch', 'time'),
    refLogProbs: f32('batch', 'time'),
    rewards: f32('batch'),
    question: i32('batch'),
    responseMask: bool('batch', 'time'),
  },
  loss: ({ params: { embedding, layers, critic }, ids, targets, oldLogProbs, refLogProbs, rewards, question, responseMask }) => {
    const onlyResponses = responseOnly(responseMask)
    const stream = pipe(embedding, gather('vocab')(ids), block(layers[0]), block(layers[1]))
    const logits = contract('embed')(stream, embedding)
    const logProbs = pipe(logits, tokenLogProbs('vocab')(targets), onlyResponses)
    const old = pipe(oldLogProbs, stopGradient, onlyResponses)
    const reference = pipe(refLogProbs, stopGradient, onlyResponses)

    const advantages = pipe(groupAdvantages(presets.drGrpo.advantages)(rewards, question), onlyResponses)
    const ratio = policyRatio({ logProbs, oldLogProbs: old })
    const surrogate = min(mul(ratio, advantages), mul(pipe(ratio, clip(0.8, 1.28)), advantages))

    const values = contract('embed')(stream, critic)
    const returns = pipe(linearRecurrence('time', 'backward')(0.99, mul(toF32(responseMask), rewards)), stopGradient)
    const errors = sub(values, returns)
    const valueLoss = pipe(maximum(mul(errors, errors), 0.01), where(responseMask))

    const spread = pipe(exp(pipe(logits, logSoftmax('vocab'))), sum('vocab'))
    const entropy = sub(pipe(logits, logSumExp('vocab')), spread)
    const written = pipe(responseMask, toF32, cumulativeSum('time'))
    const late = select(greater(written, 8), mul(entropy, 0.5), entropy)
    const pairs = pipe(late, split('time', { outer: 'chunk', inner: 'place', size: 2 }), merge('token', { outer: 'chunk', inner: 'place' }))
    const smooth = pipe(pairs, slice('token', { from: 1 }), mean('batch', 'token'))

    const penalty = mul(0.04, klK3(logProbs, reference))
    const perToken = sub(surrogate, add(penalty, mul(0.5, valueLoss)))
    return add(neg(pipe(perToken, maskedMean(responseMask, 'batch', 'time'))), mul(-0.01, smooth))
  },
})
