import { pipe } from 'fp-ts/lib/function.js'
import { aggregate, collisionProbability, untilEos, type Eos } from '../../../algorithms/index.js'
import { bool, entropy, f32, i32, toF32 } from '../../../dsl/index.js'
import type { GoldenCase, Nested } from '../golden-file.js'
import { type Ours, prepare, type Row, row } from '../row.js'
import { aggregationOf, type AggregationParams } from './verl.js'

const logits = f32('batch', 'time', 'vocab')

/** −Σ p·log p of a row of logits and its gradient −p·(log p + H), with 0·−∞ = 0. */
const entropyOf = (row: readonly number[]): { readonly value: number; readonly gradient: readonly number[] } => {
  const total = row.reduce((sum, x) => sum + Math.exp(x), 0)
  const terms = row.map((x) => ({ p: Math.exp(x) / total, logP: x - Math.log(total) }))
  const value = terms.reduce((sum, { p, logP }) => (p === 0 ? sum : sum - p * logP), 0)
  return { value, gradient: terms.map(({ p, logP }) => (p === 0 ? 0 : -p * (logP + value))) }
}

type Rows = readonly (readonly (readonly number[])[])[]

/** The peers say NaN of a row with a logit of −∞, as 0·−∞ is. */
const finiteEntropy = ({ inputs, outputs }: GoldenCase): Readonly<Record<string, Ours>> => {
  if (!(outputs['value'] as Nested[]).flat(9).some(Number.isNaN)) return {}
  const ours = (inputs['logits'] as Rows).map((rows) => rows.map(entropyOf))
  const because = 'a token that cannot be drawn adds nothing to the entropy'
  return {
    value: { ours: ours.map((rows) => rows.map(({ value }) => value)), because },
    'grads.logits': { ours: ours.map((rows) => rows.map(({ gradient }) => gradient)), because },
  }
}

const entropies = (file: string): Row =>
  row({
    file,
    cases: 6,
    differs: finiteEntropy,
    prepare: (golden) =>
      prepare(golden, { inputs: { logits }, by: ['logits'], outputs: ({ logits }) => ({ value: entropy('vocab')(logits) }) }),
  })

export const distributionRows: readonly Row[] = [
  entropies('verl_entropy_from_logits'),
  entropies('trl_entropy_from_logits'),
  row({
    file: 'verl_sum_pi_squared_from_logits',
    cases: 6,
    prepare: (golden) =>
      prepare(golden, {
        inputs: { logits: f32('batch', 'vocab') },
        by: ['logits'],
        outputs: ({ logits }) => ({ value: collisionProbability('vocab')(logits) }),
      }),
  }),
  row<AggregationParams>({
    file: 'verl_entropy_loss',
    cases: 8,
    prepare: (golden) =>
      prepare(golden, {
        inputs: { logits, response_mask: bool('batch', 'time') },
        by: ['logits'],
        outputs: ({ logits, response_mask }) => ({
          value: pipe(logits, entropy('vocab'), aggregate(aggregationOf(golden.params))(response_mask)),
        }),
      }),
  }),
  row<{ readonly eos_token: Eos }>({
    file: 'verl_get_response_mask',
    cases: 6,
    prepare: (golden) =>
      prepare(golden, {
        inputs: { response_id: i32('batch', 'time') },
        outputs: ({ response_id }) => ({ value: toF32(untilEos(golden.params.eos_token)(response_id)) }),
      }),
  }),
]
