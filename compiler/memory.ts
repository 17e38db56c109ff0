import { sizes } from '../dsl/index.js'
import type { Command, Plan } from './plan.js'

/** The commands from the first that touches a buffer to the last; before all of them is −1, after all of them their count. */
export interface Lifetime {
  readonly from: number
  readonly to: number
}

const touched = (command: Command): readonly number[] => (command.tag === 'copy' ? [command.from, command.to] : command.buffers)

/** When each buffer holds something that is still needed. What is given is there from before the first command; outputs stay. */
export const lifetimes = ({ buffers, commands, outputs }: Plan): readonly Lifetime[] => {
  const spans = buffers.map(({ role }) => (role.tag === 'given' ? { from: -1, to: -1 } : { from: commands.length, to: -1 }))
  commands.forEach((command, i) => {
    for (const buffer of touched(command)) {
      const span = spans[buffer]
      if (span !== undefined) spans[buffer] = { from: Math.min(span.from, i), to: Math.max(span.to, i) }
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

/**
 * Place the buffers for the sizes at hand: the largest first, each at the lowest offset at which nothing lies that is alive at the
 * same time. `elsewhere` are those that a device already holds.
 */
export const layout = (plan: Plan, bound: ReadonlyMap<string, number>, elsewhere: ReadonlySet<number>): Layout => {
  const spans = lifetimes(plan)
  const bytes = plan.buffers.map(({ elements }) => 4 * (sizes.evaluateSize(elements, bound) ?? 0))
  const placed: { readonly buffer: number; readonly start: number; readonly end: number }[] = []
  const offsets = bytes.map(() => -1)
  const meets = (a: number, b: number): boolean => {
    const [p, q] = [spans[a], spans[b]]
    return p !== undefined && q !== undefined && p.from <= q.to && q.from <= p.to
  }
  const order = bytes.map((_, buffer) => buffer).filter((buffer) => !elsewhere.has(buffer))
  for (const buffer of order.toSorted((a, b) => (bytes[b] ?? 0) - (bytes[a] ?? 0) || a - b)) {
    const room = aligned(bytes[buffer] ?? 0)
    let start = 0
    for (const other of placed.filter(({ buffer: b }) => meets(buffer, b)).toSorted((a, b) => a.start - b.start)) {
      if (other.start - start >= room && room > 0) break
      start = Math.max(start, other.end)
    }
    offsets[buffer] = start
    placed.push({ buffer, start, end: start + room })
  }
  return { offsets, bytes, arena: Math.max(0, ...placed.map(({ end }) => end)) }
}

/** The most bytes that are alive at one time: no arena can be smaller. */
export const liveBytes = (plan: Plan, bound: ReadonlyMap<string, number>, elsewhere: ReadonlySet<number>): number => {
  const spans = lifetimes(plan)
  const bytes = plan.buffers.map(({ elements }, i) => (elsewhere.has(i) ? 0 : 4 * (sizes.evaluateSize(elements, bound) ?? 0)))
  const at = (time: number): number =>
    bytes.reduce((sum, n, i) => ((spans[i]?.from ?? 0) <= time && time <= (spans[i]?.to ?? -1) ? sum + n : sum), 0)
  return Math.max(0, ...Array.from({ length: plan.commands.length + 2 }, (_, i) => at(i - 1)))
}
