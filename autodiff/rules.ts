import type { PartialsTable } from './partials.js'
import { type Pullbacks, pullbacks, pullbacksFrom } from './pullbacks.js'
import { type Pushforwards, pushforwards, pushforwardsFrom } from './pushforwards.js'

/** All that the two sweeps know of the language: of each node, its derivative in either direction. */
export interface Rules {
  readonly pushforwards: Pushforwards
  readonly pullbacks: Pullbacks
}

/** Both directions, read off one table of partial derivatives. */
export const rulesFrom = (table: PartialsTable): Rules => {
  const back = pullbacksFrom(table)
  return { pushforwards: pushforwardsFrom(table, back), pullbacks: back }
}

/** The rules of the language. */
export const rules: Rules = { pushforwards, pullbacks }
