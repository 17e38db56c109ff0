import type { Matrix } from './matrix.js'

/** GRPO's settings, of every contender. */
export const grpoSettings = { clip: 0.2, beta: 0.04 }

/** What the loss reads of [batch, time] tokens, with an advantage for each row. */
export interface Tokens {
  readonly logp: ArrayLike<number>
  readonly old: ArrayLike<number>
  readonly ref: ArrayLike<number>
  readonly adv: ArrayLike<number>
  readonly mask: ArrayLike<number>
}

/** −mean over the mask of min(r·A, clip(r)·A) − β·k3, and its derivative by `logp`. */
export const policyLoss = ({ logp, old, ref, adv, mask }: Tokens): { readonly value: number; readonly grad: Matrix } => {
  const { clip, beta } = grpoSettings
  const time = mask.length / adv.length
  const grad = new Float64Array(mask.length)
  let [sum, count] = [0, 0]
  for (let i = 0; i < mask.length; i++) {
    if (mask[i] === 0) continue
    const a = adv[Math.floor(i / time)]!
    const ratio = Math.exp(logp[i]! - old[i]!)
    const clipped = Math.min(Math.max(ratio, 1 - clip), 1 + clip)
    const gap = ref[i]! - logp[i]!
    sum -= Math.min(ratio * a, clipped * a) - beta * (Math.expm1(gap) - gap)
    count += 1
    grad[i] = beta * -Math.expm1(gap) - (ratio * a <= clipped * a ? ratio * a : 0)
  }
  return { value: sum / count, grad: grad.map((slope) => slope / count) }
}
