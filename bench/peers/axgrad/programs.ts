import { grpoLoss } from 'axgrad/algorithms'
import { valueAndGrad } from 'axgrad/autodiff'
import {
  add,
  bool,
  contract,
  exp,
  f32,
  i32,
  maskedMean,
  mean,
  mul,
  neg,
  program,
  type Program,
  rename,
  sigmoid,
  sizeOf,
  type Tensor,
  tanh,
  tokenLogProbs,
} from 'axgrad/dsl'
import { pipe } from 'fp-ts/lib/function.js'
import { chainLength } from '../expected/index.js'
import { grpoSettings } from '../expected/policy-loss.js'
import type { Kind, Sizes } from '../inputs/index.js'

/** A program of arrays by name. What it makes that is large stays on the device, as state; `makes` says its shape. */
export interface Simple<S> {
  readonly program: (sizes: S) => Program<unknown, unknown, unknown>
  readonly makes: (sizes: S) => Readonly<Record<string, readonly number[]>>
}

export const clip = { low: grpoSettings.clip, high: grpoSettings.clip }

export const tokenFields = {
  old: f32('batch', 'time'),
  ref: f32('batch', 'time'),
  adv: f32('batch'),
  mask: bool('batch', 'time'),
}

/** How many rows, how long a sequence is open; the sizes of a model are not. */
const open = { batch: sizeOf('batch'), time: sizeOf('time') }

export const simple: { readonly [K in Exclude<Kind, 'step' | 'decoding'>]: Simple<Sizes[K]> } = {
  product: {
    program: ({ depth, columns }) =>
      program({
        inputs: { a: f32({ row: sizeOf('row'), k: depth }), b: f32({ k: depth, column: columns }) },
        state: { c: f32({ row: sizeOf('row'), column: columns }) },
        body: ({ a, b }) => ({ outputs: {}, state: { c: contract('k')(a, b) } }),
      }),
    makes: ({ rows, columns }) => ({ c: [rows, columns] }),
  },
  pointwise: {
    program: () =>
      program({
        inputs: { x: f32('i') },
        state: { grad: f32('i') },
        body: ({ x }) => {
          const loss = (y: Tensor<'i'>) => pipe(add(mul(exp(neg(mul(y, y))), sigmoid(y)), tanh(y)), mean('i'))
          const { value, grad } = valueAndGrad(loss)(x)
          return { outputs: { value }, state: { grad } }
        },
      }),
    makes: ({ elements }) => ({ grad: [elements] }),
  },
  tokens: {
    program: ({ vocab }) =>
      program({
        inputs: { logits: f32({ ...open, vocab }), ids: i32('batch', 'time'), mask: bool('batch', 'time') },
        state: { grad: f32({ ...open, vocab }) },
        body: ({ logits, ids, mask }) => {
          const loss = (x: typeof logits) => pipe(x, tokenLogProbs('vocab')(ids), maskedMean(mask, 'batch', 'time'))
          const { value, grad } = valueAndGrad(loss)(logits)
          return { outputs: { value }, state: { grad } }
        },
      }),
    makes: ({ batch, time, vocab }) => ({ grad: [batch, time, vocab] }),
  },
  grpo: {
    program: () =>
      program({
        inputs: { logp: f32('batch', 'time'), ...tokenFields },
        state: { grad: f32('batch', 'time') },
        body: ({ logp, old, ref, adv, mask }) => {
          const fields = { oldLogProbs: old, refLogProbs: ref, advantages: adv, responseMask: mask }
          const loss = (logProbs: typeof logp) => grpoLoss({ clip, beta: grpoSettings.beta })({ logProbs, ...fields })
          const { value, grad } = valueAndGrad(loss)(logp)
          return { outputs: { value }, state: { grad } }
        },
      }),
    makes: ({ batch, time }) => ({ grad: [batch, time] }),
  },
  chain: {
    program: () =>
      program({
        inputs: { x: f32({ row: sizeOf('row'), a: 4 }), w: f32({ a: 4, b: 4 }) },
        state: { y: f32({ row: sizeOf('row'), a: 4 }) },
        body: ({ x, w }) => ({
          outputs: {},
          state: {
            y: Array.from({ length: chainLength }).reduce<typeof x>((y) => pipe(contract('a')(y, w), rename({ b: 'a' })), x),
          },
        }),
      }),
    makes: ({ rows }) => ({ y: [rows, 4] }),
  },
}
