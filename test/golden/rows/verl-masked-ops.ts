import { pipe } from 'fp-ts/lib/function.js'
import { aggregate, rowsOf, tokenVariance, verlMaskedMean, verlSequenceMean, verlWhitening, whiten } from '../../../algorithms/index.js'
import { type AnyTensor, bool, f32, maskedSum, type Tensor } from '../../../dsl/index.js'
import { prepare, row } from '../row.js'

type Params =
  | { readonly fn: 'masked_sum'; readonly axis: -1 }
  | { readonly fn: 'masked_mean'; readonly axis?: -1 }
  | { readonly fn: 'masked_var'; readonly unbiased: true }
  | { readonly fn: 'masked_whiten'; readonly shift_mean: boolean }

type Tokens = 'batch' | 'time'

const of = (params: Params, mask: Tensor<Tokens, 'bool'>): ((values: Tensor<Tokens>) => AnyTensor) => {
  switch (params.fn) {
    case 'masked_sum':
      return maskedSum(mask, 'time')
    case 'masked_mean':
      return params.axis === undefined ? aggregate(verlMaskedMean)(mask) : rowsOf(verlSequenceMean.within)(mask)
    case 'masked_var':
      return tokenVariance({ ddof: 1, mean: verlMaskedMean })(mask)
    case 'masked_whiten':
      return whiten({ ...verlWhitening, shift: params.shift_mean, outside: 'whitened' })(mask)
  }
}

export const verlMaskedOps = row<Params>({
  file: 'verl_masked_ops',
  cases: 6,
  prepare: (golden) =>
    prepare(golden, {
      inputs: { values: f32('batch', 'time'), mask: bool('batch', 'time') },
      by: ['values'],
      outputs: ({ values, mask }) => ({ value: pipe(values, of(golden.params, mask)) }),
    }),
})
