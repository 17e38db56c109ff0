import { pipe } from 'fp-ts/lib/function.js'
import { gae, verlWhitening, whiten } from '../../../algorithms/index.js'
import { add, bool, f32, select } from '../../../dsl/index.js'
import { prepare, row } from '../row.js'

interface Params {
  readonly gamma: number
  readonly lam: number
}

export const verlGae = row<Params>({
  file: 'verl_gae',
  cases: 9,
  prepare: (golden) => {
    const { gamma, lam } = golden.params
    return prepare(golden, {
      inputs: { token_level_rewards: f32('batch', 'time'), values: f32('batch', 'time'), response_mask: bool('batch', 'time') },
      outputs: ({ token_level_rewards, values, response_mask }) => {
        const { advantages, returns } = gae({ gamma, lambda: lam })({
          rewards: token_level_rewards,
          values,
          responseMask: response_mask,
        })
        return {
          value: pipe(advantages, whiten({ ...verlWhitening, outside: 'whitened' })(response_mask)),
          // Outside the mask verl has the carried advantage and a value that nobody reads, where this library has 0.
          returns: select(response_mask, returns, add(advantages, values)),
        }
      },
    })
  },
})
