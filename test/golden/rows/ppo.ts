import { pipe } from 'fp-ts/lib/function.js'
import {
  approximateKl,
  grpoLoss,
  klK3,
  policyRatio,
  ppoLoss,
  presets,
  surrogateTokens,
  tokenMean,
  valueClipFraction,
  valueLoss,
} from '../../../algorithms/index.js'
import { abs, bool, f32, greater, maskedMean, sub, toF32 } from '../../../dsl/index.js'
import type { Nested } from '../golden-file.js'
import { prepare, type Row, row } from '../row.js'

const token = f32('batch', 'time')

/** 1 where a padding mask says that there is none. */
const written = (padding: Nested): Nested => (typeof padding === 'object' ? padding.map(written) : Number(!padding))

const trl = row<{ readonly cliprange: number; readonly cliprange_value: number; readonly vf_coef: number }>({
  file: 'trl_ppo_loss',
  cases: 8,
  inFloat32: ['vf_clipfrac'],
  prepare: (golden) => {
    const { cliprange, cliprange_value, vf_coef } = golden.params
    const config = {
      policy: { ...presets.trl.ppo.policy, clip: { low: cliprange, high: cliprange } },
      value: { ...presets.trl.ppo.value, clip: cliprange_value },
      valueCoefficient: vf_coef,
    }
    return prepare(golden, {
      inputs: {
        new_logprobs: token,
        old_logprobs: token,
        vpred: token,
        old_values: token,
        returns: token,
        advantages: token,
        responseMask: bool('batch', 'time'),
        valueMask: bool('batch', 'time'),
      },
      given: { responseMask: written(golden.inputs['padding_mask']!), valueMask: written(golden.inputs['padding_mask_p1']!) },
      by: ['new_logprobs', 'vpred'],
      outputs: ({ new_logprobs, old_logprobs, vpred, old_values, returns, advantages, responseMask, valueMask }) => {
        const tokens = { logProbs: new_logprobs, oldLogProbs: old_logprobs, refLogProbs: old_logprobs, advantages, responseMask }
        const values = { values: vpred, oldValues: old_values, returns, responseMask: valueMask }
        return {
          value: ppoLoss(config)(tokens, values),
          pg_loss: pipe(tokens, grpoLoss(config.policy)),
          vf_loss: pipe(values, valueLoss(config.value)),
          vf_clipfrac: pipe(values, valueClipFraction(config.value)),
        }
      },
    })
  },
})

interface MiniMindParams {
  readonly clip_epsilon: number
  readonly cliprange_value: number
  readonly kl_coef: number
  readonly vf_coef: number
}

const miniMind = row<MiniMindParams>({
  file: 'mm_ppo_loss',
  cases: 9,
  prepare: (golden) => {
    const { clip_epsilon: epsilon, cliprange_value, kl_coef, vf_coef } = golden.params
    const config = {
      policy: { ...presets.minimind.ppo.policy, clip: { low: epsilon, high: epsilon }, beta: kl_coef },
      value: { ...presets.minimind.ppo.value, clip: cliprange_value },
      valueCoefficient: vf_coef,
    }
    return prepare(golden, {
      inputs: {
        resp_logp: token,
        old_resp_logp: token,
        ref_resp_logp: token,
        advantages: token,
        values: token,
        old_values: token,
        returns: token,
        mask: bool('batch', 'time'),
      },
      by: ['resp_logp', 'values'],
      outputs: ({ resp_logp, old_resp_logp, ref_resp_logp, advantages, mask, ...critic }) => {
        const batch = { logProbs: resp_logp, oldLogProbs: old_resp_logp, refLogProbs: ref_resp_logp, advantages, responseMask: mask }
        const values = { values: critic.values, oldValues: critic.old_values, returns: critic.returns, responseMask: mask }
        const mean = maskedMean(mask, 'batch', 'time')
        const distance = abs(sub(policyRatio(surrogateTokens(batch)), 1))
        return {
          value: ppoLoss(config)(batch, values),
          policy_loss: pipe(batch, grpoLoss(config.policy)),
          value_loss: pipe(values, valueLoss(config.value)),
          approx_kl: pipe(batch, approximateKl(tokenMean)),
          clipfrac: pipe(toF32(greater(distance, epsilon)), mean),
          kl_ref: pipe(klK3(resp_logp, ref_resp_logp), mean),
        }
      },
    })
  },
})

export const ppoRows: readonly Row[] = [trl, miniMind]
