import { jit, nn, numpy as np, valueAndGrad } from '@jax-js/jax'

// Every function owns what it is given: what is used again is used by its `ref`.

const clip = 0.2
const beta = 0.04
const adamW = { rate: 1e-3, beta1: 0.9, beta2: 0.999, epsilon: 1e-8, decay: 0.01 }
const normEpsilon = 1e-5
const chain = 64

const maskedMean = (x, mask) => x.mul(mask.ref).sum().div(mask.sum())

const grpoLoss = (logp, { old, ref, adv, mask }) => {
  const ratio = np.exp(logp.ref.sub(old))
  const advantages = np.expandDims(adv, 1)
  const surrogate = np.minimum(ratio.ref.mul(advantages.ref), np.clip(ratio, 1 - clip, 1 + clip).mul(advantages))
  const gap = ref.sub(logp)
  const penalty = np.expm1(gap.ref).sub(gap).mul(beta)
  return maskedMean(surrogate.sub(penalty), mask).neg()
}

/** By a product with one-hot rows: the gradient of its `takeAlongAxis` scatters, and is slower. */
const tokenLogProbs = (logits, ids) => {
  const vocab = logits.shape.at(-1)
  return nn.logSoftmax(logits, -1).mul(nn.oneHot(ids, vocab)).sum(-1)
}

export const product = jit((a, b) => np.matmul(a, b))

export const pointwise = jit(valueAndGrad((x) => np.exp(x.ref.mul(x.ref).neg()).mul(nn.sigmoid(x.ref)).add(np.tanh(x)).mean()))

export const tokens = jit(valueAndGrad((logits, ids, mask) => maskedMean(tokenLogProbs(logits, ids), mask)))

export const grpo = jit(valueAndGrad((logp, batch) => grpoLoss(logp, batch)))

export const chained = jit((x, w) => {
  let y = x
  for (let i = 0; i < chain; i++) y = np.matmul(y, w.ref)
  return y
})

const rmsNorm = (x, weight) => {
  const square = x.ref.mul(x.ref).mean(-1, { keepdims: true })
  return x.div(np.sqrt(square.add(normEpsilon))).mul(weight)
}

const turned = (x, cos, sin) => {
  const [a, b] = np.split(x, 2, -1)
  return np.concatenate([a.ref.mul(cos.ref).sub(b.ref.mul(sin.ref)), b.mul(cos).add(a.mul(sin))], -1)
}

/** [batch, time, width] as [batch, head, time, within]. */
const headsOf = (x, heads) => {
  const [batch, time, width] = x.shape
  return np.transpose(x.reshape([batch, time, heads, width / heads]), [0, 2, 1, 3])
}

const attention = (q, k, v, seen) => {
  const scores = np.matmul(q, np.transpose(k, [0, 1, 3, 2])).mul(v.shape.at(-1) ** -0.5)
  return np.matmul(nn.softmax(np.where(seen, scores, -1e30), -1), v)
}

/** One layer of [batch·time, width]: products with rows of their own are slow. `attend` makes of queries, keys and values what is attended to. */
const layer = (params, i, x, { heads, batch }, attend) => {
  const [rows, width] = x.shape
  const h = rmsNorm(x.ref, params[`n1.${i}`].ref)
  const [q, k, v] = ['wq', 'wk', 'wv'].map((name) =>
    headsOf(np.matmul(h.ref, params[`${name}.${i}`].ref).reshape([batch, rows / batch, width]), heads),
  )
  const attended = np.transpose(attend(q, k, v), [0, 2, 1, 3]).reshape([rows, width])
  const y = x.add(np.matmul(attended, params[`wo.${i}`].ref))
  const g = rmsNorm(y.ref, params[`n2.${i}`].ref)
  const gate = nn.silu(np.matmul(g.ref, params[`w1.${i}`].ref))
  return y.add(np.matmul(gate.mul(np.matmul(g, params[`w3.${i}`].ref)), params[`w2.${i}`].ref))
}

const logitsOf = (params, x) => np.matmul(rmsNorm(x, params.nf.ref), np.transpose(params.emb.ref))

/** Gradient, moments and update of one step, as one function. */
export const stepOf = ({ batch: rows, layers, heads, time }) => {
  const loss = (params, { x: ids, y, cos, sin, ...batch }) => {
    const seen = np.tril(np.ones([time, time])).greater(0)
    let x = np.take(params.emb.ref, ids.reshape([rows * time]), 0)
    for (let i = 0; i < layers; i++)
      x = layer(params, i, x, { heads, batch: rows }, (q, k, v) =>
        attention(turned(q, cos.ref, sin.ref), turned(k, cos.ref, sin.ref), v, seen.ref),
      )
    return grpoLoss(tokenLogProbs(logitsOf(params, x), y.reshape([rows * time])).reshape([rows, time]), batch)
  }
  return jit((params, mean, square, batch, step) => {
    const { rate, beta1, beta2, epsilon, decay } = adamW
    const [value, grads] = valueAndGrad(loss)(params, batch)
    const [share1, share2] = [beta1, beta2].map((b) =>
      np
        .exp(step.ref.mul(Math.log(b)))
        .mul(-1)
        .add(1),
    )
    const next = { params: {}, mean: {}, square: {} }
    for (const name of Object.keys(grads)) {
      const g = grads[name]
      const m = mean[name].mul(beta1).add(g.ref.mul(1 - beta1))
      const v = square[name].mul(beta2).add(g.ref.mul(g).mul(1 - beta2))
      const direction = m.ref.div(share1.ref).div(np.sqrt(v.ref.div(share2.ref)).add(epsilon))
      next.params[name] = params[name].ref.mul(1 - rate * decay).sub(direction.mul(rate))
      next.mean[name] = m
      next.square[name] = v
    }
    return { loss: value, ...next }
  })
}

/** The next token of each row and the caches with the last one in them; the place of it is an input, so that one function does for all. */
export const tokenOf = ({ batch, layers, heads }) =>
  jit((params, caches, last, isHere, seen, cos, sin) => {
    const next = []
    let x = np.take(params.emb.ref, last, 0)
    for (let i = 0; i < layers; i++)
      x = layer(params, i, x, { heads, batch }, (q, k, v) => {
        const keys = np.where(isHere.ref, turned(k, cos.ref, sin.ref), caches[i].keys)
        const values = np.where(isHere.ref, v, caches[i].values)
        next.push({ keys: keys.ref, values: values.ref })
        return attention(turned(q, cos.ref, sin.ref), keys, values, seen.ref)
      })
    return { last: np.argmax(logitsOf(params, x), -1), caches: next }
  })
