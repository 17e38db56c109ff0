import { type Command, costOf, type Plan } from '../../compiler/index.js'
import { sizes } from '../../dsl/index.js'
import { sideOf, type Units } from './wasm/emit/units.js'

/** The work of a command: units that may run side by side, so many in each chunk that a thread takes. */
export interface Chunks {
  readonly units: number
  readonly perChunk: number
  readonly chunks: number
  /** How long one thread takes for it, in nanoseconds, roughly. */
  readonly work: number
  /** The bytes of scratch memory that it needs for each thread, beyond those that every run has. */
  readonly scratch: number
}

/** A chunk of less work, in nanoseconds, is not worth taking by itself. */
const leastWork = 10_000

/** More chunks than this a command gain nothing. */
const mostChunks = 64

/** How many bytes a core moves in a nanosecond, roughly. */
const bytesInTurn = 16

/** How a command is cut at given sizes. It does not depend on how many threads there are. */
export const chunking = (plan: Plan, units: readonly Units[]): ((command: Command, bound: ReadonlyMap<string, number>) => Chunks) => {
  const costs = new Map(plan.commands.map((command) => [command, costOf(plan, command)]))
  return (command, bound) => {
    const number = (size: sizes.Size): number => sizes.evaluateSize(size, bound) ?? 0
    const { reads, writes, flops } = costs.get(command) ?? costOf(plan, command)
    const moved = (number(reads) + number(writes)) / bytesInTurn
    if (command.tag === 'copy') return { units: 1, perChunk: 1, chunks: 1, work: moved, scratch: 0 }
    const { parts, rate, besides } = units[command.kernel]!
    const space = plan.kernels[command.kernel]?.space ?? []
    const extents = new Map(space.map(({ index }, i) => [index, number(command.extents[i] ?? sizes.literal(0))]))
    const count = parts.reduce((before, part) => {
      const points = part.loops.reduce((product, loop) => product * (extents.get(loop) ?? 0), 1)
      return before * Math.ceil(points / sideOf(part, points, before))
    }, 1)
    const { time, scratch } = besides?.((loop) => extents.get(loop) ?? 0) ?? { time: 0, scratch: 0 }
    const work = moved + time + number(flops) / rate
    const wanted = Math.max(1, Math.min(mostChunks, Math.floor(work / leastWork)))
    const perChunk = Math.ceil(count / wanted) || 1
    return { units: count, perChunk, chunks: Math.ceil(count / perChunk), work, scratch }
  }
}
