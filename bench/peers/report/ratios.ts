import { geometricMean, median } from 'simple-statistics'
import type { Camp } from '../contenders.js'
import type { Timed } from '../results.js'
import { absent, digits, table } from './markdown.js'
import { isTimed, type Part } from './of.js'

/** A time of ours beside the best of a camp. */
interface Ratio {
  readonly best: Timed
  /** Theirs by ours: above 1 we are faster. */
  readonly times: number
}

const bestOf = ({ results }: Part, workload: string, camp: Camp): Timed | undefined =>
  results
    .filter(isTimed)
    .filter((result) => result.workload === workload && result.camp === camp)
    .toSorted((a, b) => median(a.times) - median(b.times))[0]

const ratioOf = (part: Part, workload: string, camp: Camp): Ratio | undefined => {
  const [ours, best] = [bestOf(part, workload, 'ours'), bestOf(part, workload, camp)]
  return ours === undefined || best === undefined ? undefined : { best, times: median(best.times) / median(ours.times) }
}

const cell = (ratio: Ratio | undefined): string => (ratio === undefined ? absent : `${digits(ratio.times)} (${ratio.best.contender})`)

const camps: readonly { readonly camp: Camp; readonly title: string }[] = [
  { camp: 'javascript', title: 'of the best JavaScript peer' },
  { camp: 'native', title: 'of PyTorch' },
]

const isRatio = (ratio: Ratio | undefined): ratio is Ratio => ratio !== undefined

/** The time of others as a multiple of ours, at each workload and in the geometric mean, which leaves out the chain: it is all overhead. */
export const ratioTable = (part: Part): string => {
  const columns = camps.map(({ camp }) => part.workloads.map(({ name }) => ratioOf(part, name, camp)))
  const isMeant = part.workloads.map(({ kind }) => kind !== 'chain')
  const means = columns.map((column) => {
    const times = column
      .filter((_, row) => isMeant[row])
      .filter(isRatio)
      .map((ratio) => ratio.times)
    return times.length === 0 ? absent : digits(geometricMean(times))
  })
  return table(
    ['', ...camps.map(({ title }) => title)],
    [
      ...part.workloads.map(({ name }, row) => [name, ...columns.map((column) => cell(column[row]))]),
      ['geometric mean, W1 to W7', ...means],
    ],
  )
}
