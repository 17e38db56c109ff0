import type { Group } from '../contenders.js'
import type { Result, Results, Timed } from '../results.js'
import { type Workload, workloads } from '../workloads.js'
import { absent, table } from './markdown.js'

/** The results of one group, by workload and contender. */
export interface Part {
  readonly workloads: readonly Workload[]
  readonly contenders: readonly string[]
  readonly results: readonly Result[]
  readonly timed: (workload: string, contender: string) => Timed | undefined
}

export const isTimed = (result: Result): result is Timed => result.tag === 'timed'

export const partOf = ({ results }: Results, group: Group): Part => {
  const own = results.filter((result) => result.group === group)
  const names = new Set(own.map(({ workload }) => workload))
  const timed = new Map(own.filter(isTimed).map((result) => [`${result.workload} ${result.contender}`, result]))
  return {
    workloads: workloads.filter(({ name }) => names.has(name)),
    contenders: [...new Set(own.map(({ contender }) => contender))],
    results: own,
    timed: (workload, contender) => timed.get(`${workload} ${contender}`),
  }
}

/** A table with a row for each workload and a column for each contender. */
export const grid = ({ workloads: of, contenders, timed }: Part, cell: (result: Timed) => string): string =>
  table(
    ['', ...contenders],
    of.map(({ name }) => [
      name,
      ...contenders.map((contender) => {
        const result = timed(name, contender)
        return result === undefined ? absent : cell(result)
      }),
    ]),
  )
