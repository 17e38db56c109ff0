import { type Command, costOf, type Plan } from '../compiler/index.js'
import { type MadeBy, type Size, sizes } from '../dsl/index.js'

/** When something began and how long it took, in seconds; the beginning counts from that of the run. */
export interface Span {
  readonly begin: number
  readonly seconds: number
}

/** What one command of a run took, and what it did. */
export interface Timed extends Span {
  /** The kernel's name, or `copy`. */
  readonly kernel: string
  /** What it made that is stored. */
  readonly makes: readonly string[]
  /** Read and written, each buffer once. */
  readonly bytes: number
  /** Operations on floats: see `Cost`. */
  readonly flops: number
}

/** The roofline: what the device does at most in a second, each measured alone. */
export interface Peak {
  /** Additions and products without memory. */
  readonly flops: number
  /** Bytes read and written by a copy larger than the caches. */
  readonly bytes: number
}

/** Where it could not be measured: no part of it is known. */
export const unknownPeak: Peak = { flops: NaN, bytes: NaN }

/** A run whose commands were carried out and timed one by one, which takes longer than a run. */
export interface Profile<O = unknown> {
  readonly device: string
  readonly outputs: MadeBy<O>
  readonly commands: readonly Timed[]
  readonly peak: Peak
}

/** For each step of a plan, when the first of the commands began that do it, and how long all of them took. */
export const spansOf = (stepOf: readonly number[], spans: readonly Span[]): readonly Span[] => {
  const steps: Span[] = []
  for (const [i, step] of stepOf.entries()) {
    const { begin, seconds } = spans[i] ?? { begin: 0, seconds: 0 }
    const earlier = steps[step]
    steps[step] = { begin: earlier?.begin ?? begin, seconds: seconds + (earlier?.seconds ?? 0) }
  }
  return steps
}

const nameOf = ({ kernels }: Plan, command: Command): string =>
  command.tag === 'copy' ? 'copy' : (kernels[command.kernel]?.name ?? 'unknown')

/** What each command did in its time, at given sizes. */
export const timed = (plan: Plan, bound: ReadonlyMap<string, number>, spans: readonly Span[]): readonly Timed[] =>
  plan.commands.map((command, i) => {
    const { reads, writes, flops } = costOf(plan, command)
    const number = (size: Size): number => sizes.evaluateSize(size, bound) ?? 0
    return {
      ...(spans[i] ?? { begin: 0, seconds: 0 }),
      kernel: nameOf(plan, command),
      makes: command.tag === 'copy' ? [] : command.makes.map(({ what }) => what),
      bytes: number(reads) + number(writes),
      flops: number(flops),
    }
  })

/** Of what took no time, 0. */
const rate = (amount: number, seconds: number): number => (seconds === 0 ? 0 : amount / seconds)

/** The part of the roofline that was reached: the time that its flops or its bytes take at the least, whichever is more, by the time that it took. */
export const reached = ({ flops, bytes, seconds }: Timed, peak: Peak): number =>
  rate(Math.max(flops / peak.flops, bytes / peak.bytes), seconds)

const columns = ['ms', '% of time', 'GFLOP/s', 'GB/s', '% of roofline', 'kernel', 'makes'] as const

const percent = (part: number): string => (Number.isNaN(part) ? '–' : (100 * part).toFixed(1))

const rowOf = (command: Timed, whole: number, peak: Peak): readonly string[] => {
  const { kernel, makes, seconds, flops, bytes } = command
  return [
    (1e3 * seconds).toFixed(3),
    (100 * rate(seconds, whole)).toFixed(1),
    (rate(flops, seconds) / 1e9).toFixed(2),
    (rate(bytes, seconds) / 1e9).toFixed(2),
    percent(reached(command, peak)),
    kernel,
    makes.join(', '),
  ]
}

const isText = (column: number): boolean => columns[column] === 'kernel' || columns[column] === 'makes'

const aligned = (rows: readonly (readonly string[])[]): string => {
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const cell = (text: string, column: number): string =>
    isText(column) ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0)
  return rows.map((row) => row.map(cell).join('  ').trimEnd()).join('\n')
}

/** A profile as a table, the commands in their order, and what all of them took. */
export const profileTable = ({ device, commands, peak }: Profile): string => {
  const whole = commands.reduce((sum, { seconds }) => sum + seconds, 0)
  const all: Timed = {
    begin: 0,
    seconds: whole,
    kernel: `${String(commands.length)} commands`,
    makes: [],
    bytes: commands.reduce((sum, { bytes }) => sum + bytes, 0),
    flops: commands.reduce((sum, { flops }) => sum + flops, 0),
  }
  const most = `at most ${(peak.flops / 1e9).toFixed(1)} GFLOP/s and ${(peak.bytes / 1e9).toFixed(1)} GB/s`
  return [
    `${device}: ${peak === unknownPeak ? 'what it does at most could not be measured' : most}`,
    aligned([columns, ...[...commands, all].map((command) => rowOf(command, whole, peak))]),
  ].join('\n')
}

/** A profile as a trace that Chrome (`chrome://tracing`) and Perfetto open: times are in microseconds there. */
export const chromeTrace = ({ device, commands, peak }: Profile) => ({
  displayTimeUnit: 'ms',
  traceEvents: [
    { name: 'process_name', ph: 'M', pid: 1, tid: 1, args: { name: device } },
    ...commands.map((command) => ({
      name: command.kernel,
      ph: 'X',
      pid: 1,
      tid: 1,
      ts: 1e6 * command.begin,
      dur: 1e6 * command.seconds,
      args: { makes: command.makes, bytes: command.bytes, flops: command.flops, roofline: reached(command, peak) },
    })),
  ],
})
