import { klEstimates, type KlName, withGradientOfK2 } from '../../../algorithms/index.js'
import { f32 } from '../../../dsl/index.js'
import { prepare, type Row, row } from '../row.js'

/** verl's names: two for each estimate, and one clamped estimate under both names of k3. */
const estimates: Readonly<Record<string, KlName>> = {
  kl: 'k1',
  k1: 'k1',
  abs: 'abs',
  mse: 'k2',
  k2: 'k2',
  low_var_kl: 'lowVar',
  k3: 'lowVar',
}

interface Params {
  readonly kl_penalty: string
}

const klRow = (file: string, cases: number): Row =>
  row<Params>({
    file,
    cases,
    prepare: (golden) => {
      const { kl_penalty } = golden.params
      const estimate = klEstimates[estimates[kl_penalty.replace('+', '')]!]
      const kl = kl_penalty.endsWith('+') ? withGradientOfK2(estimate) : estimate
      return prepare(golden, {
        inputs: { logprob: f32('batch', 'time'), ref_logprob: f32('batch', 'time') },
        by: ['logprob'],
        outputs: ({ logprob, ref_logprob }) => ({ value: kl(logprob, ref_logprob) }),
      })
    },
  })

export const verlKlPenalty = klRow('verl_kl_penalty', 14)

export const verlKlPenaltyStraightThrough = klRow('verl_kl_penalty_straight_through', 6)
