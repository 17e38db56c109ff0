import { pipe } from 'fp-ts/lib/function.js'
import {
  aotLoss,
  cpoLoss,
  type Divergence,
  dpoLoss,
  ktoLoss,
  type PairLoss,
  orpoLoss,
  sequenceMeanTokenMean,
  sequenceMeanTokenSum,
  simpoLoss,
} from '../../../algorithms/index.js'
import { add, greater, type Scalar } from '../../../dsl/index.js'
import type { Loss } from './pairs.js'

/** Every loss of a pair, by its name. */
export const pairLosses = {
  sigmoid: { tag: 'sigmoid' },
  smoothed: { tag: 'sigmoid', smoothing: 0.1 },
  hinge: { tag: 'hinge' },
  ipo: { tag: 'ipo' },
  exo: { tag: 'exo', smoothing: 1e-3 },
  robust: { tag: 'robust', wrong: 0.1 },
  discopop: { tag: 'discopop', temperature: 0.05 },
  nca: { tag: 'nca' },
  bco: { tag: 'bco', shift: 0.2 },
  sppo: { tag: 'sppo' },
  apoZero: { tag: 'apoZero' },
  apoDown: { tag: 'apoDown' },
} as const satisfies Readonly<Record<string, PairLoss>>

export const divergences = {
  reverseKl: { tag: 'reverseKl' },
  forwardKl: { tag: 'forwardKl' },
  jensenShannon: { tag: 'jensenShannon' },
  alpha: { tag: 'alpha', alpha: 0.5 },
} as const satisfies Readonly<Record<string, Divergence>>

/** A loss under what its sums are divided by, where that is not the number of its own pairs. */
export type OfRows = (settings: { readonly across?: number }) => Loss

const acrossRows = ({ across }: { readonly across?: number }) => (across === undefined ? {} : { across })

const kto: OfRows =
  (settings) =>
  ({ chosen, rejected, weights }): Scalar => {
    const loss = ktoLoss({ beta: 0.4, desirableWeight: 1.2, ...settings })
    const judged = { desirable: greater(weights, 1), baseline: 0.3 }
    return add(loss({ ...chosen, ...judged }), loss({ ...rejected, ...judged }))
  }

/** Losses in which no pair depends on another. */
export const separable: Readonly<Record<string, OfRows>> = {
  ...Object.fromEntries(
    Object.entries(pairLosses).map(([name, loss]): [string, OfRows] => [name, (settings) => dpoLoss({ beta: 0.4, loss, ...settings })]),
  ),
  ...Object.fromEntries(
    Object.entries(divergences).map(([name, divergence]): [string, OfRows] => [
      name,
      (settings) => dpoLoss({ beta: 0.4, divergence, ...settings }),
    ]),
  ),
  perToken: (settings) => dpoLoss({ beta: 0.4, within: { count: 'tokens' }, ...settings }),
  lengthDesensitised: (settings) => dpoLoss({ beta: 0.4, excess: 0.3, ...settings }),
  simpo: (settings) => simpoLoss({ beta: 2, gamma: 0.5, ...settings }),
  cpo: (settings) => cpoLoss({ beta: 0.4, aggregation: { ...sequenceMeanTokenSum, ...acrossRows(settings) }, ...settings }),
  orpo: (settings) => orpoLoss({ lambda: 0.25, aggregation: { ...sequenceMeanTokenMean, ...acrossRows(settings) }, ...settings }),
  kto,
}

const sorted =
  (by: 'margins' | 'responses'): OfRows =>
  (settings) =>
  ({ chosen, rejected }) =>
    pipe({ chosen, rejected }, aotLoss({ beta: 0.4, sorted: by, smoothing: 0.1, ...settings }))

/** Losses of the batch as a whole. */
export const coupled: Readonly<Record<string, OfRows>> = { aotMargins: sorted('margins'), aotResponses: sorted('responses') }

export const losses: Readonly<Record<string, OfRows>> = { ...separable, ...coupled }
