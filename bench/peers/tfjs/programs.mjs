import tf from '@tensorflow/tfjs'

const clip = 0.2
const beta = 0.04
const adamW = { rate: 1e-3, beta1: 0.9, beta2: 0.999, epsilon: 1e-8, decay: 0.01 }
const normEpsilon = 1e-5
const chainLength = 64

const maskedMean = (x, mask) => tf.div(tf.sum(tf.mul(x, mask)), tf.sum(mask))

const grpoLoss = (logp, { old, ref, adv, mask }) => {
  const ratio = tf.exp(tf.sub(logp, old))
  const advantages = tf.expandDims(adv, 1)
  const surrogate = tf.minimum(tf.mul(ratio, advantages), tf.mul(tf.clipByValue(ratio, 1 - clip, 1 + clip), advantages))
  const gap = tf.sub(ref, logp)
  return tf.neg(maskedMean(tf.sub(surrogate, tf.mul(tf.sub(tf.expm1(gap), gap), beta)), mask))
}

/** By a product with one-hot rows: gathering along the last axis row by row has no gradient there. */
const tokenLogProbs = (logits, ids) => tf.sum(tf.mul(tf.logSoftmax(logits), tf.oneHot(ids, logits.shape.at(-1))), -1)

export const product = (a, b) => tf.matMul(a, b)

export const pointwise = tf.valueAndGrad((x) => tf.mean(tf.add(tf.mul(tf.exp(tf.neg(tf.square(x))), tf.sigmoid(x)), tf.tanh(x))))

export const tokens = (logits, ids, mask) => tf.valueAndGrad((x) => maskedMean(tokenLogProbs(x, ids), mask))(logits)

export const grpo = (logp, batch) => tf.valueAndGrad((x) => grpoLoss(x, batch))(logp)

export const chained = (x, w) => Array.from({ length: chainLength }).reduce((y) => tf.matMul(y, w), x)

const rmsNorm = (x, weight) => tf.mul(tf.mul(x, tf.rsqrt(tf.add(tf.mean(tf.square(x), -1, true), normEpsilon))), weight)

const turned = (x, cos, sin) => {
  const [a, b] = tf.split(x, 2, -1)
  return tf.concat([tf.sub(tf.mul(a, cos), tf.mul(b, sin)), tf.add(tf.mul(b, cos), tf.mul(a, sin))], -1)
}

/** [batch·time, width] as [batch, head, time, within]. */
const headsOf = (x, batch, heads) => {
  const [rows, width] = x.shape
  return tf.transpose(tf.reshape(x, [batch, rows / batch, heads, width / heads]), [0, 2, 1, 3])
}

const attention = (q, k, v, bias) => {
  const scores = tf.mul(tf.matMul(q, k, false, true), q.shape.at(-1) ** -0.5)
  return tf.matMul(tf.softmax(bias === undefined ? scores : tf.add(scores, bias)), v)
}

/** One layer of [batch·time, width]; `attend` makes of queries, keys and values what is attended to. */
const layer = (params, i, x, { batch, heads }, attend) => {
  const of = (name) => params[`${name}.${i}`]
  const h = rmsNorm(x, of('n1'))
  const [q, k, v] = ['wq', 'wk', 'wv'].map((name) => headsOf(tf.matMul(h, of(name)), batch, heads))
  const attended = tf.reshape(tf.transpose(attend(q, k, v), [0, 2, 1, 3]), x.shape)
  const y = tf.add(x, tf.matMul(attended, of('wo')))
  const g = rmsNorm(y, of('n2'))
  const gate = tf.matMul(g, of('w1'))
  return tf.add(y, tf.matMul(tf.mul(tf.mul(gate, tf.sigmoid(gate)), tf.matMul(g, of('w3'))), of('w2')))
}

const logitsOf = (params, x) => tf.matMul(rmsNorm(x, params.nf), params.emb, false, true)

/** Loss, gradients and update of one step. The embedding is a product with one-hot rows: the gradient of `gather` has no kernel in WebAssembly. */
export const step = (sizes, { params, mean, square }, batch, count) => {
  const { batch: rows, time, vocab, layers } = sizes
  const { x: ids, y, cos, sin, bias, ...rest } = batch
  const names = Object.keys(params)
  const loss = (...values) => {
    const at = Object.fromEntries(names.map((name, i) => [name, values[i]]))
    let x = tf.matMul(tf.cast(tf.oneHot(tf.reshape(ids, [rows * time]), vocab), 'float32'), at.emb)
    for (let i = 0; i < layers; i++) x = layer(at, i, x, sizes, (q, k, v) => attention(turned(q, cos, sin), turned(k, cos, sin), v, bias))
    return grpoLoss(tf.reshape(tokenLogProbs(logitsOf(at, x), tf.reshape(y, [rows * time])), [rows, time]), rest)
  }
  const { value, grads } = tf.valueAndGrads(loss)(names.map((name) => params[name]))
  const { rate, beta1, beta2, epsilon, decay } = adamW
  const next = { params: {}, mean: {}, square: {} }
  names.forEach((name, i) => {
    const m = tf.add(tf.mul(mean[name], beta1), tf.mul(grads[i], 1 - beta1))
    const v = tf.add(tf.mul(square[name], beta2), tf.mul(tf.square(grads[i]), 1 - beta2))
    const direction = tf.div(tf.div(m, 1 - beta1 ** count), tf.add(tf.sqrt(tf.div(v, 1 - beta2 ** count)), epsilon))
    next.params[name] = tf.sub(tf.mul(params[name], 1 - rate * decay), tf.mul(direction, rate))
    next.mean[name] = m
    next.square[name] = v
  })
  return { loss: value, ...next }
}

/** The next token of each row, and the caches grown by the last one. */
export const token = (sizes, params, caches, last, cos, sin) => {
  const next = []
  let x = tf.gather(params.emb, last)
  for (let i = 0; i < sizes.layers; i++)
    x = layer(params, i, x, sizes, (q, k, v) => {
      const [key, before] = [turned(k, cos, sin), caches[i]]
      const keys = before === undefined ? key : tf.concat([before.keys, key], 2)
      const values = before === undefined ? v : tf.concat([before.values, v], 2)
      next.push({ keys, values })
      return attention(turned(q, cos, sin), keys, values)
    })
  return { last: tf.argMax(logitsOf(params, x), -1), caches: next }
}
