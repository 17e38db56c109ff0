import { median } from 'simple-statistics'
import { chainLength } from '../expected/index.js'
import { tolerance } from '../measure.js'
import type { Result, Timed } from '../results.js'
import { spread } from '../statistics.js'
import type { Workload } from '../workloads.js'
import { absent, digits, megabytes, percent, table } from './markdown.js'
import { grid, isTimed, type Part } from './of.js'
import { ratioTable } from './ratios.js'

const timeOf = ({ times }: Timed): string =>
  times.length === 1 ? `${digits(median(times))} (once)` : `${digits(median(times))} ± ${percent(spread(times))}`

const firstOf = ({ first, resized }: Timed): string => `${digits(first.ms)}, ${typeof resized === 'string' ? absent : digits(resized.ms)}`

const memoryOf = ({ bytes }: Timed): string => `${megabytes(bytes.peak)} (${megabytes(bytes.ready)})`

const deviationOf = ({ first: { deviation } }: Timed): string =>
  deviation.part <= tolerance ? deviation.part.toExponential(0) : `**${deviation.part.toExponential(0)} (${deviation.of})**`

const isProduct = (workload: Workload): workload is Extract<Workload, { readonly kind: 'product' }> => workload.kind === 'product'

/** Of each contender GFLOP/s at the products, and of the first that measured it what its arithmetic could reach. */
const productTable = ({ workloads, contenders, timed }: Part): string =>
  table(
    ['', ...contenders, 'roof of ours'],
    workloads.filter(isProduct).map(({ name, sizes: { rows, depth, columns } }) => {
      const rates = contenders.map((contender) => {
        const result = timed(name, contender)
        return result === undefined ? absent : digits((2 * rows * depth * columns) / median(result.times) / 1e6)
      })
      const [roof = NaN] = contenders.flatMap((contender) => timed(name, contender)?.counts.peakFlops ?? [])
      return [name, ...rates, digits(roof / 1e9)]
    }),
  )

const costColumns = ['kernels', 'dispatches', 'submits', 'MB touched', 'arena, MB', 'arena by need', 'µs a dispatch']

const number = (x: number | undefined): string => (x === undefined ? absent : String(x))

const costRow = (result: Timed): readonly string[] => {
  const { kernels, dispatches, submits, bytes, arena, needed } = result.counts
  return [
    `${result.workload}, ${result.contender}`,
    ...[number(kernels), number(dispatches), number(submits), megabytes(bytes), megabytes(arena)],
    arena === undefined || needed === undefined || needed === 0 ? absent : (arena / needed).toFixed(2),
    dispatches === undefined ? absent : digits((1000 * median(result.times)) / dispatches),
  ]
}

const costTable = ({ results }: Part): string =>
  table(
    ['', ...costColumns],
    results
      .filter(isTimed)
      .filter(({ counts }) => Object.keys(counts).length > 0)
      .map(costRow),
  )

const chainOf = ({ contenders, timed }: Part): readonly string[] => {
  const each = contenders.flatMap((contender) => {
    const result = timed('chain', contender)
    return result === undefined ? [] : [`${contender} ${digits((1000 * median(result.times)) / chainLength)}`]
  })
  return each.length === 0 ? [] : [`Microseconds for each product of \`chain\`: ${each.join(', ')}.`]
}

const factsOf = ({ facts }: Timed): string =>
  Object.entries(facts)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

const contenderList = ({ contenders, results }: Part): string =>
  contenders
    .map((contender) => {
      const [first] = results.filter(isTimed).filter((result) => result.contender === contender)
      return `- ${contender}${first === undefined ? '' : `: ${factsOf(first)}`}`
    })
    .join('\n')

const reasonOf = (result: Result): readonly string[] => {
  const of = `- ${result.workload}, ${result.contender}`
  if (result.tag === 'failed') return [`${of}: ${result.because}`]
  return typeof result.resized === 'string' ? [`${of}, other sizes: ${result.resized}`] : []
}

const orNone = (lines: readonly string[]): string => (lines.length === 0 ? 'None.' : lines.join('\n'))

/** All that is said of one group. */
export const sectionsOf = (title: string, part: Part): string =>
  [
    `## ${title}`,
    contenderList(part),
    '### Milliseconds a run',
    'The median, and half of what the middle half of the runs spans.',
    grid(part, timeOf),
    '### Times as long as this library takes',
    ratioTable(part),
    '### First calls',
    'Milliseconds of the first call, which compiles, and of the first at other sizes.',
    grid(part, firstOf),
    '### Memory',
    'The most that the process had, in MB, and in parentheses what it had before it was given anything.',
    grid(part, memoryOf),
    '### Products, GFLOP/s',
    productTable(part),
    '### What a run costs',
    'Microseconds a dispatch are the whole of a run; at `chain`, whose kernels do next to nothing, they are what the host takes.',
    costTable(part),
    ...chainOf(part),
    '### How far from float64',
    'The farthest element, as a part of its size or of its array’s root mean square; decoded ids by how much less likely they are than the likeliest. What is farther than 1e-4 stands out; it was timed all the same.',
    grid(part, deviationOf),
    '### What could not be measured',
    orNone(part.results.flatMap(reasonOf)),
  ].join('\n\n')
