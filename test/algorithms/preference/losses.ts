import { pipe } from 'fp-ts/lib/function.js'
import { aotLoss, cpoLoss, type Divergence, dpoLoss, ktoLoss, type PairLoss, orpoLoss, simpoLoss } from '../../../algorithms/index.js'
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

const kto: Loss = ({ chosen, rejected, weights }): Scalar => {
  const loss = ktoLoss({ beta: 0.4, desirableWeight: 1.2 })
  const judged = { desirable: greater(weights, 1), baseline: 0.3 }
  return add(loss({ ...chosen, ...judged }), loss({ ...rejected, ...judged }))
}

const sorted =
  (by: 'margins' | 'responses'): Loss =>
  ({ chosen, rejected }) =>
    pipe({ chosen, rejected }, aotLoss({ beta: 0.4, sorted: by, smoothing: 0.1 }))

const ofTable = <X>(table: Readonly<Record<string, X>>, loss: (x: X) => Loss): Readonly<Record<string, Loss>> =>
  Object.fromEntries(Object.entries(table).map(([name, x]) => [name, loss(x)]))

export const losses: Readonly<Record<string, Loss>> = {
  ...ofTable<PairLoss>(pairLosses, (loss) => dpoLoss({ beta: 0.4, loss })),
  ...ofTable<Divergence>(divergences, (divergence) => dpoLoss({ beta: 0.4, divergence })),
  perToken: dpoLoss({ beta: 0.4, within: { count: 'tokens' } }),
  lengthDesensitised: dpoLoss({ beta: 0.4, excess: 0.3 }),
  simpo: simpoLoss({ beta: 2, gamma: 0.5 }),
  cpo: cpoLoss({ beta: 0.4 }),
  orpo: orpoLoss({ lambda: 0.25 }),
  kto,
  aotMargins: sorted('margins'),
  aotResponses: sorted('responses'),
}
