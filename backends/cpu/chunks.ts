import type { Command, Plan } from '../../compiler/index.js'
import { sizes } from '../../dsl/index.js'
import { sideOf, type Units } from './wasm/emit/units.js'

/** The work of a command: units that may run side by side, so many in each chunk that a thread takes. */
export interface Chunks {
  readonly units: number
  readonly perChunk: number
  readonly chunks: number
}

/** A command that touches fewer elements is not worth waking another core for. */
const leastElements = 16_384

/** More chunks than this a command gain nothing. */
const mostChunks = 64

const one: Chunks = { units: 1, perChunk: 1, chunks: 1 }

/** How a command is cut at given sizes. It does not depend on how many threads there are. */
export const chunksOf = (plan: Plan, command: Command, units: readonly Units[], bound: ReadonlyMap<string, number>): Chunks => {
  if (command.tag === 'copy') return one
  const number = (size: sizes.Size): number => sizes.evaluateSize(size, bound) ?? 0
  const space = plan.kernels[command.kernel]?.space ?? []
  const extents = new Map(space.map(({ index }, i) => [index, number(command.extents[i] ?? sizes.literal(0))]))
  const count = (units[command.kernel] ?? []).reduce((before, part) => {
    const points = part.loops.reduce((product, loop) => product * (extents.get(loop) ?? 0), 1)
    return before * Math.ceil(points / sideOf(part, points, before))
  }, 1)
  const elements = command.buffers.reduce((sum, buffer) => sum + number(plan.buffers[buffer]?.elements ?? sizes.literal(0)), 0)
  const perChunk = elements < leastElements ? Math.max(1, count) : Math.ceil(count / mostChunks) || 1
  return { units: count, perChunk, chunks: Math.ceil(count / perChunk) }
}
