import { pipe } from 'fp-ts/lib/function.js'
import { responseLogProbs, responsePlaces } from '../../../algorithms/index.js'
import { f32, i32, sub, tokenLogProbs } from '../../../dsl/index.js'
import type { GoldenCase, Nested } from '../golden-file.js'
import { prepare, type Row, row } from '../row.js'

const logits = f32('batch', 'time', 'vocab')

/** The labels lie beside their logits already. */
const aligned = (file: string, labels: 'index' | 'labels'): Row =>
  row({
    file,
    cases: 6,
    prepare: (golden) =>
      prepare(golden, {
        inputs: { logits, ids: i32('batch', 'time') },
        given: { ids: golden.inputs[labels]! },
        by: ['logits'],
        outputs: ({ logits, ids }) => ({ value: pipe(logits, tokenLogProbs('vocab')(ids)) }),
      }),
  })

/** All rows end with a response of `size` tokens. */
const atTheEnd = (golden: GoldenCase, size: number) => {
  const ids = golden.inputs['input_ids'] as readonly (readonly Nested[])[]
  return prepare(golden, {
    inputs: { logits, input_ids: i32('batch', 'time'), promptLengths: i32('batch') },
    given: { promptLengths: ids.map((row) => row.length - size) },
    by: ['logits'],
    outputs: ({ logits, input_ids, promptLengths }) => ({
      value: pipe({ logits, ids: input_ids, promptLengths }, responseLogProbs({ size })),
    }),
  })
}

export const logProbRows: readonly Row[] = [
  aligned('trl_selective_log_softmax', 'index'),
  aligned('mm_logits_to_log_probs', 'labels'),
  row<{ readonly response_length: number }>({
    file: 'verl_log_probs_from_logits_response',
    cases: 6,
    prepare: (golden) => atTheEnd(golden, golden.params.response_length),
  }),
  row<{ readonly n_keep: number }>({
    file: 'mm_compute_per_token_logps',
    cases: 6,
    prepare: (golden) => atTheEnd(golden, golden.params.n_keep),
  }),
  row<{ readonly completion_len: number }>({
    file: 'mm_response_logps',
    cases: 6,
    prepare: (golden) =>
      prepare(golden, {
        inputs: { logits, output_ids: i32('batch', 'time'), prompt_lens: i32('batch') },
        by: ['logits'],
        outputs: ({ logits, output_ids, prompt_lens }) => {
          const size = golden.params.completion_len
          return {
            value: pipe({ logits, ids: output_ids, promptLengths: prompt_lens }, responseLogProbs({ size })),
            logp_pos: sub(pipe(prompt_lens, responsePlaces(size)), 1),
          }
        },
      }),
  }),
]
