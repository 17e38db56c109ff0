import { sizes } from '../dsl/index.js'
import { type Command, elementBytes, type Plan } from './plan.js'

/** The commands from the first that touches a buffer to the last; before all of them is −1, after all of them their count. */
export interface Lifetime {
  readonly from: number
  readonly to: number
}

const touched = (command: Command): readonly number[] => (command.tag === 'copy' ? [command.from, command.to] : command.buffers)

/** For each command the first and the last of those that run side by side with it. */
const launches = (commands: readonly Command[]): readonly Lifetime[] => {
  const isBeside = (i: number): boolean => {
    const command = commands[i]
    return command?.tag === 'dispatch' && command.beside
  }
  const from = commands.map((_, i) => i)
  const to = commands.map((_, i) => i)
  for (let i = 1; i < commands.length; i++) if (isBeside(i)) from[i] = from[i - 1]!
  for (let i = commands.length - 2; i >= 0; i--) if (isBeside(i + 1)) to[i] = to[i + 1]!
  return commands.map((_, i) => ({ from: from[i]!, to: to[i]! }))
}

/**
 * When each buffer holds something that is still needed. What is given is there from before the first command; outputs stay. What commands that
 * run side by side touch is alive during all of them.
 */
export const lifetimes = ({ buffers, commands, outputs }: Plan): readonly Lifetime[] => {
  const spans = buffers.map(({ role }) => (role.tag === 'given' ? { from: -1, to: -1 } : { from: commands.length, to: -1 }))
  const launched = launches(commands)
  commands.forEach((command, i) => {
    const { from, to } = launched[i]!
    for (const buffer of touched(command)) {
      const span = spans[buffer]
      if (span !== undefined) spans[buffer] = { from: Math.min(span.from, from), to: Math.max(span.to, to) }
    }
  })
  for (const { buffer } of outputs) {
    const span = spans[buffer]
    if (span !== undefined) spans[buffer] = { from: span.from, to: commands.length }
  }
  return spans
}

/** Where each buffer lies in the arena, in bytes; −1 for those that lie elsewhere. */
export interface Layout {
  readonly offsets: readonly number[]
  readonly bytes: readonly number[]
  readonly arena: number
}

/** Offsets of bindings must be multiples of this on every WebGPU device. */
export const alignment = 256

const aligned = (bytes: number): number => Math.ceil(bytes / alignment) * alignment

/** A buffer in the arena: how many bytes it takes there, and when. */
interface Block extends Lifetime {
  readonly buffer: number
  readonly room: number
}

interface Placed extends Block {
  readonly start: number
  readonly end: number
}

const meet = (a: Lifetime, b: Lifetime): boolean => a.from <= b.to && b.from <= a.to

/** Each in turn at the lowest offset at which nothing lies that is alive at the same time. */
const place = (blocks: readonly Block[]): readonly Placed[] => {
  const placed: Placed[] = []
  for (const block of blocks) {
    let start = 0
    for (const other of placed.filter((b) => meet(block, b)).toSorted((a, b) => a.start - b.start)) {
      if (other.start - start >= block.room && block.room > 0) break
      start = Math.max(start, other.end)
    }
    placed.push({ ...block, start, end: start + block.room })
  }
  return placed
}

const endOf = (placed: readonly Placed[]): number => placed.reduce((end, block) => Math.max(end, block.end), 0)

/** The most bytes that are needed at one time. */
const mostAlive = (blocks: readonly Block[], commands: number): number =>
  Math.max(
    0,
    ...Array.from({ length: commands + 2 }, (_, i) => blocks.reduce((sum, b) => (b.from < i && i - 1 <= b.to ? sum + b.room : sum), 0)),
  )

/** The order of placing decides how much is wasted, and none is best for all: the largest first, the earliest, the last to go. */
const orders: readonly ((a: Block, b: Block) => number)[] = [
  (a, b) => b.room - a.room,
  (a, b) => a.from - b.from || b.room - a.room,
  (a, b) => b.to - a.to || b.room - a.room,
]

const attempts = 4

/** The tightest of some placements. What ends highest is placed first at the next attempt, until nothing is wasted. */
const tightest = (blocks: readonly Block[], least: number): readonly Placed[] => {
  let best = place(blocks.toSorted(orders[0]))
  for (const order of orders) {
    let next: readonly Block[] = blocks.toSorted(order)
    for (let i = 0; i < attempts && endOf(best) > least; i++) {
      const placed = place(next)
      const end = endOf(placed)
      if (end < endOf(best)) best = placed
      const highest = placed.find((block) => block.end === end)?.buffer
      next = [...next.filter(({ buffer }) => buffer === highest), ...next.filter(({ buffer }) => buffer !== highest)]
    }
  }
  return best
}

const blocksOf = (plan: Plan, bytes: readonly number[], elsewhere: ReadonlySet<number>): readonly Block[] =>
  lifetimes(plan).flatMap((span, buffer) => (elsewhere.has(buffer) ? [] : [{ ...span, buffer, room: aligned(bytes[buffer] ?? 0) }]))

const bytesOf = ({ buffers }: Plan, bound: ReadonlyMap<string, number>): readonly number[] =>
  buffers.map((buffer) => elementBytes(buffer) * (sizes.evaluateSize(buffer.elements, bound) ?? 0))

/** Place the buffers for the sizes at hand. `elsewhere` are those that a device already holds. */
export const layout = (plan: Plan, bound: ReadonlyMap<string, number>, elsewhere: ReadonlySet<number>): Layout => {
  const bytes = bytesOf(plan, bound)
  const blocks = blocksOf(plan, bytes, elsewhere)
  const placed = tightest(blocks, mostAlive(blocks, plan.commands.length))
  const starts = new Map(placed.map(({ buffer, start }) => [buffer, start]))
  return { offsets: bytes.map((_, buffer) => starts.get(buffer) ?? -1), bytes, arena: endOf(placed) }
}

/** The most bytes that are alive at one time, each buffer's rounded up to the alignment: no arena can be smaller. */
export const liveBytes = (plan: Plan, bound: ReadonlyMap<string, number>, elsewhere: ReadonlySet<number>): number =>
  mostAlive(blocksOf(plan, bytesOf(plan, bound), elsewhere), plan.commands.length)
