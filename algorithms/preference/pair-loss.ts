import { add, div, exp, log, log1p, mul, neg, relu, type Scalar, sigmoid, softplus, sub, type Tensor } from '../../dsl/index.js'
import { type Setting, toScalar } from '../setting.js'
import type { Pair } from './pairs.js'

type None = Readonly<Record<never, never>>

/** The settings of each loss of a pair. */
interface Settings {
  /**
   * −log σ(m), smoothed: a label is taken to be wrong with probability `smoothing`, 0 if not said.
   * Source: DPO, arXiv:2305.18290, eq. 7; smoothed, E. Mitchell, https://ericmitchell.ai/cdpo.pdf.
   */
  readonly sigmoid: { readonly smoothing?: Setting }
  /** max(0, 1 − m). Source: SLiC-HF, arXiv:2305.10425. */
  readonly hinge: None
  /** (m/β − 1/(2β))²: β is its τ. Source: IPO, arXiv:2310.12036, eq. 17. TRL has it of mean log-ratios (`within`). */
  readonly ipo: None
  /** KL(σ(m) ‖ 1 − ε) of two outcomes; ε = `smoothing` lies between 0 and 1, 1e-3 in the paper. Source: EXO, arXiv:2402.00856, eq. 16. */
  readonly exo: { readonly smoothing: Setting }
  /** The loss whose mean is that of −log σ(m) without wrong labels, where one is wrong with probability `wrong` < ½. Source: arXiv:2403.00409. */
  readonly robust: { readonly wrong: Setting }
  /** −log σ(m) below 0 and e⁻ᵐ above, blended over about `temperature`, 0.05 in the paper. Source: DiscoPOP, arXiv:2406.08414, eq. 5. */
  readonly discopop: { readonly temperature: Setting }
  /** −log σ(r_c) − ½ log σ(−r_c) − ½ log σ(−r_r): lifts the chosen response itself, not the difference alone. Source: NCA, arXiv:2402.05369. */
  readonly nca: None
  /** −log σ(r_c − δ) − log σ(δ − r_r): is a response a chosen one? δ = `shift` is the running mean of rewards, 0 if not said. Source: BCO, arXiv:2404.04656. */
  readonly bco: { readonly shift?: Setting }
  /** (r_c/β − 1/(2β))² + (r_r/β + 1/(2β))². Source: SPPO with certain preferences, arXiv:2405.00675, eq. 4.7. */
  readonly sppo: None
  /** 1 − σ(r_c) + σ(r_r): for chosen responses that are better than the policy's own. Source: APO, arXiv:2408.06266, eq. 7. */
  readonly apoZero: None
  /** σ(r_c) + 1 − σ(m): for chosen responses that are worse than the policy's own. Source: APO, arXiv:2408.06266, eq. 8. */
  readonly apoDown: None
}

type Tag = keyof Settings
type LossOf<T extends Tag> = { [K in T]: { readonly tag: K } & Settings[K] }[T]

/** A loss of a pair by its name, with the settings that it has. */
export type PairLoss = LossOf<Tag>

type Rows = Tensor<'batch'>

/** What a loss reads: the reward r = β·score of each response, and the margin m = r_c − r_r. */
interface Rewards extends Pair<Rows> {
  readonly margin: Rows
  readonly beta: Scalar
}

/** −log σ(x) */
export const negLogSigmoid = <A extends string>(x: Tensor<A>): Tensor<A> => softplus(neg(x))

const square = (x: Rows): Rows => mul(x, x)

/** (1 − ε)·−log σ(m) + ε·−log σ(−m) */
export const smoothedSigmoid =
  (epsilon: Setting = 0) =>
  (margin: Rows): Rows =>
    epsilon === 0
      ? negLogSigmoid(margin)
      : add(mul(sub(1, toScalar(epsilon)), negLogSigmoid(margin)), mul(toScalar(epsilon), softplus(margin)))

const losses: { readonly [T in Tag]: (loss: LossOf<T>) => (rewards: Rewards) => Rows } = {
  sigmoid:
    ({ smoothing }) =>
    ({ margin }) =>
      smoothedSigmoid(smoothing)(margin),
  hinge:
    () =>
    ({ margin }) =>
      relu(sub(1, margin)),
  ipo:
    () =>
    ({ margin, beta }) =>
      square(div(sub(margin, 0.5), beta)),
  exo:
    ({ smoothing }) =>
    ({ margin }) => {
      const epsilon = toScalar(smoothing)
      const right = mul(sigmoid(margin), neg(add(negLogSigmoid(margin), log1p(neg(epsilon)))))
      const wrong = mul(sigmoid(neg(margin)), neg(add(softplus(margin), log(epsilon))))
      return add(right, wrong)
    },
  robust:
    ({ wrong }) =>
    ({ margin }) => {
      const epsilon = toScalar(wrong)
      return div(sub(mul(sub(1, epsilon), negLogSigmoid(margin)), mul(epsilon, softplus(margin))), sub(1, mul(2, epsilon)))
    },
  discopop:
    ({ temperature }) =>
    ({ margin }) => {
      const modulation = div(margin, toScalar(temperature))
      // σ(m/τ)·e⁻ᵐ under one exponential: as a product it is 0·∞ where m is far below 0.
      const exponential = exp(sub(neg(margin), negLogSigmoid(modulation)))
      return add(mul(sigmoid(neg(modulation)), negLogSigmoid(margin)), exponential)
    },
  nca:
    () =>
    ({ chosen, rejected }) =>
      add(negLogSigmoid(chosen), mul(0.5, add(softplus(chosen), softplus(rejected)))),
  bco:
    ({ shift = 0 }) =>
    ({ chosen, rejected }) =>
      add(negLogSigmoid(sub(chosen, toScalar(shift))), softplus(sub(rejected, toScalar(shift)))),
  sppo:
    () =>
    ({ chosen, rejected, beta }) =>
      add(square(div(sub(chosen, 0.5), beta)), square(div(add(rejected, 0.5), beta))),
  apoZero:
    () =>
    ({ chosen, rejected }) =>
      add(sigmoid(neg(chosen)), sigmoid(rejected)),
  apoDown:
    () =>
    ({ chosen, margin }) =>
      add(sigmoid(chosen), sigmoid(neg(margin))),
}

const lossOf = <T extends Tag>(loss: LossOf<T>): ((rewards: Rewards) => Rows) => losses[loss.tag](loss)

/**
 * The loss of each pair from the scores of its responses: log-ratios, or what a divergence makes of them. `PairLoss` says what each one is.
 * Gradient: into the scores.
 */
export const pairLoss =
  (loss: PairLoss, beta: Setting) =>
  (scores: Pair<Rows>): Rows => {
    const [chosen, rejected] = [mul(toScalar(beta), scores.chosen), mul(toScalar(beta), scores.rejected)]
    return lossOf(loss)({ chosen, rejected, margin: sub(chosen, rejected), beta: toScalar(beta) })
  }
