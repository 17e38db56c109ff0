import { pipe } from 'fp-ts/lib/function.js'
import {
  type AotConfig,
  aotLoss,
  aotPresets,
  collisionProbability,
  type Divergence,
  type DpoConfig,
  dpoLoss,
  dpoPresets,
  likelihoodLoss,
  type PairLoss,
  type PreferenceBatch,
  preferenceMetrics,
  tokenMean,
  weightedLosses,
  wpoWeights,
} from '../../../algorithms/index.js'
import { bool, f32, i32, rename, type Scalar, slice, tokenLogProbs } from '../../../dsl/index.js'
import type { GoldenCase } from '../golden-file.js'
import { type Prepared, prepare, type Row, row } from '../row.js'
import { halves, zipPairs } from './pairs.js'

interface Settings {
  readonly beta: number
  readonly label_smoothing?: number
  readonly ld_alpha?: number
  readonly f_divergence_type?: 'reverse_kl' | 'forward_kl' | 'js_divergence' | 'alpha_divergence'
  readonly f_alpha_divergence_coef?: number
}

type Loss = (batch: PreferenceBatch) => Scalar

const divergenceOf = ({ f_divergence_type = 'reverse_kl', f_alpha_divergence_coef = 1 }: Settings): Divergence => {
  switch (f_divergence_type) {
    case 'reverse_kl':
      return { tag: 'reverseKl' }
    case 'forward_kl':
      return { tag: 'forwardKl' }
    case 'js_divergence':
      return { tag: 'jensenShannon' }
    case 'alpha_divergence':
      return { tag: 'alpha', alpha: f_alpha_divergence_coef }
  }
}

const sums = ({ beta, ld_alpha }: Settings) => ({ beta, ...(ld_alpha === undefined ? {} : { excess: ld_alpha }) })

const ofPairs =
  (preset: DpoConfig, loss: (params: Settings) => PairLoss) =>
  (params: Settings): Loss =>
    dpoLoss({ ...preset, ...sums(params), divergence: divergenceOf(params), loss: loss(params) })

const sortedBy =
  (preset: AotConfig) =>
  (params: Settings): Loss =>
  ({ chosen, rejected }) =>
    aotLoss({ ...preset, ...sums(params), ...(params.label_smoothing === undefined ? {} : { smoothing: params.label_smoothing }) })({
      chosen,
      rejected,
    })

const losses = {
  sigmoid: ofPairs(dpoPresets.trl, () => ({ tag: 'sigmoid' })),
  hinge: ofPairs(dpoPresets.trl, () => ({ tag: 'hinge' })),
  ipo: ofPairs(dpoPresets.trlIpo, () => dpoPresets.trlIpo.loss),
  exo_pair: ofPairs(dpoPresets.trl, ({ label_smoothing = 0 }) => ({ tag: 'exo', smoothing: label_smoothing })),
  nca_pair: ofPairs(dpoPresets.trl, () => ({ tag: 'nca' })),
  robust: ofPairs(dpoPresets.trl, ({ label_smoothing = 0 }) => ({ tag: 'robust', wrong: label_smoothing })),
  bco_pair: ofPairs(dpoPresets.trl, () => ({ tag: 'bco' })),
  sppo_hard: ofPairs(dpoPresets.trl, () => ({ tag: 'sppo' })),
  aot: sortedBy(aotPresets.trl),
  aot_unpaired: sortedBy(aotPresets.trlUnpaired),
  apo_zero: ofPairs(dpoPresets.trl, () => ({ tag: 'apoZero' })),
  apo_down: ofPairs(dpoPresets.trl, () => ({ tag: 'apoDown' })),
  discopop: ofPairs(dpoPresets.trlDiscopop, () => dpoPresets.trlDiscopop.loss),
  sigmoid_norm: ofPairs(dpoPresets.trlSigmoidNorm, () => ({ tag: 'sigmoid' })),
  sft:
    () =>
    ({ chosen }) =>
      likelihoodLoss(tokenMean)(chosen),
} satisfies Readonly<Record<string, (params: Settings) => Loss>>

type LossType = keyof typeof losses

interface Params extends Settings {
  readonly loss_type: LossType | readonly [LossType, ...(readonly LossType[])]
  readonly loss_weights?: readonly number[]
  readonly use_weighting?: boolean
}

const lossOf = (params: Params): Loss => {
  const { loss_type, loss_weights } = params
  const [first, ...others] = typeof loss_type === 'string' ? [loss_type] : loss_type
  const weighted = (type: LossType, place: number) => ({ weight: loss_weights?.[place] ?? 1, loss: losses[type](params) })
  return weightedLosses(weighted(first, 0), ...others.map((type, i) => weighted(type, i + 1)))
}

const outputsOf = (params: Params, batch: PreferenceBatch) => {
  const metrics = preferenceMetrics(sums(params))(batch)
  return {
    value: lossOf(params)(batch),
    metrics: {
      'rewards/chosen': metrics.chosenReward,
      'rewards/rejected': metrics.rejectedReward,
      'rewards/accuracies': metrics.accuracy,
      'rewards/margins': metrics.margin,
      'logps/chosen': metrics.chosenLogProb,
      'logps/rejected': metrics.rejectedLogProb,
    },
  }
}

/** The mask is of the ids, of which the first has no log-probability. */
const fromLogProbs = (golden: GoldenCase<Params>): Prepared =>
  prepare(golden, {
    inputs: {
      per_token_logps: f32('batch', 'time'),
      ref_per_token_logps: f32('batch', 'time'),
      completion_mask: bool('batch', 'place'),
    },
    by: ['per_token_logps'],
    outputs: ({ per_token_logps, ref_per_token_logps, completion_mask }) => {
      const half = halves('completion_mask', golden)
      return outputsOf(
        golden.params,
        zipPairs({
          logProbs: half(per_token_logps),
          refLogProbs: half(ref_per_token_logps),
          responseMask: half(pipe(completion_mask, slice('place', { from: 1 }), rename({ place: 'time' }))),
        }),
      )
    },
  })

/** The logits at a place are of the id at the next. */
const fromLogits = (golden: GoldenCase<Params>): Prepared =>
  prepare(golden, {
    inputs: {
      logits: f32('batch', 'time', 'vocab'),
      ref_logits: f32('batch', 'time', 'vocab'),
      input_ids: i32('batch', 'time'),
      completion_mask: bool('batch', 'time'),
    },
    by: ['logits'],
    outputs: ({ logits, ref_logits, input_ids, completion_mask }) => {
      const half = halves('completion_mask', golden)
      const [said, refSaid] = [pipe(logits, slice('time', { to: -1 })), pipe(ref_logits, slice('time', { to: -1 }))]
      const ofIds = tokenLogProbs('vocab')(pipe(input_ids, slice('time', { from: 1 })))
      const responses = zipPairs({
        logProbs: half(pipe(said, ofIds)),
        refLogProbs: half(pipe(refSaid, ofIds)),
        collisions: half(pipe(said, collisionProbability('vocab'))),
        responseMask: half(pipe(completion_mask, slice('time', { from: 1 }))),
      })
      return outputsOf(golden.params, {
        ...responses,
        ...(golden.params.use_weighting === true ? { weights: wpoWeights(responses) } : {}),
      })
    },
  })

const metrics = ['chosen', 'rejected', 'accuracies', 'margins'].map((name) => `metrics["rewards/${name}"]`)

const ownFiles = Object.keys(losses).filter((type) => type !== 'sft')

export const trlDpoLosses: readonly Row[] = [
  ...ownFiles.map((type) =>
    row<Params>({ file: `trl_dpo_${type}`, cases: 6, inFloat32: ['metrics["rewards/accuracies"]'], prepare: fromLogProbs }),
  ),
  row<Params>({ file: 'trl_dpo_variants', cases: 12, prepare: fromLogProbs }),
  row<Params>({ file: 'trl_dpo_from_logits', cases: 6, prepare: fromLogits }),
  row<Params>({
    file: 'trl_dpo_alpha_divergence',
    cases: 6,
    inFloat32: ['value', 'grads.per_token_logps', ...metrics, 'metrics["logps/chosen"]', 'metrics["logps/rejected"]'],
    prepare: fromLogProbs,
  }),
]
