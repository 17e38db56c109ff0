import { pipe } from 'fp-ts/lib/function.js'
import { aggregate } from '../../../algorithms/index.js'
import { bool, f32 } from '../../../dsl/index.js'
import { prepare, row } from '../row.js'
import { aggregationOf, type AggregationParams } from './verl.js'

export const verlAggLoss = row<AggregationParams>({
  file: 'verl_agg_loss',
  cases: 12,
  prepare: (golden) =>
    prepare(golden, {
      inputs: { loss_mat: f32('batch', 'time'), loss_mask: bool('batch', 'time') },
      by: ['loss_mat'],
      outputs: ({ loss_mat, loss_mask }) => ({
        value: pipe(loss_mat, aggregate(aggregationOf(golden.params))(loss_mask)),
      }),
    }),
})
