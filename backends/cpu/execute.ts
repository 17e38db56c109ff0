import * as E from 'fp-ts/lib/Either.js'
import { outputTree, type Plan } from '../../compiler/index.js'
import type { DeviceError } from '../backend.js'
import type { Givens } from '../givens.js'
import type { Compiled } from './compile.js'
import { granule } from './heap.js'
import type { DeviceMemory } from './memory.js'
import type { Prepared } from './prepare.js'
import type { Scratch } from './scratch.js'
import type { Team } from './team.js'

const others = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export interface Run {
  readonly device: string
  readonly plan: Plan
  readonly compiled: Compiled
  readonly memory: DeviceMemory
  readonly scratch: Scratch
  readonly prepared: Prepared
  readonly givens: Givens<number>
  readonly bound: ReadonlyMap<string, number>
  /** How long this thread works, in milliseconds, before others have a turn: progress, and Ctrl-C. */
  readonly turn: number
  readonly threads: number
  readonly wake: number
  readonly team: Team
}

/** Where each buffer of the plan lies in this run. */
const addressesOf = ({ prepared: { layout }, givens: { resident } }: Run, arena: number): readonly number[] =>
  layout.offsets.map((offset, buffer) => resident.get(buffer)?.place ?? arena + offset)

const writeGivens = ({ memory, prepared: { layout }, givens: { copies, uploads } }: Run, addresses: readonly number[]): void => {
  for (const [buffer, { place }] of copies) memory.copy(place, addresses[buffer] ?? 0, layout.bytes[buffer] ?? 0)
  for (const [buffer, { buffer: bytes, byteOffset, byteLength }] of uploads)
    memory.write(addresses[buffer] ?? 0, new Uint8Array(bytes, byteOffset, byteLength))
}

/** Copies: the next run works in the same memory. */
const outputs = ({ plan, memory, prepared: { layout }, bound }: Run, addresses: readonly number[]): unknown =>
  outputTree(plan, bound, ({ buffer }) => {
    const [dtype = 'f32', address = 0, bytes = 0] = [plan.buffers[buffer]?.dtype, addresses[buffer], layout.bytes[buffer]]
    return memory.elements(dtype, address, bytes / 4).slice()
  })

/** Where the parts of a run's memory begin: after the arena, the parameters, the list, and scratch memory for each thread. */
const partsFrom = (arena: number, { prepared, threads }: Run) => {
  const after = (address: number, bytes: number): number => Math.ceil((address + bytes) / granule) * granule
  const parameters = arena + prepared.layout.arena
  // With room for an element after the arena's: that is where the first of an empty tensor may be, which a kernel may read, and not use.
  const list = after(parameters, prepared.words.byteLength + 4)
  const scratch = after(list, prepared.list.bytes)
  const each = after(0, prepared.scratch)
  return { parameters, list, scratch: (thread: number) => scratch + thread * each, end: scratch + threads * each }
}

/** A run whose list is written: where it lies, and whether several threads go through it. */
export interface Listed {
  readonly run: Run
  readonly list: number
  readonly scratch: (thread: number) => number
  readonly together: boolean
}

/** What goes through a list; undefined where it did, else why a thread died. */
export type Carry = (listed: Listed) => Promise<string | undefined>

/** This thread alone, a few commands at once, so that it can stop in between. */
const alone = async ({ run: { plan, prepared, compiled, turn }, list, scratch }: Listed): Promise<undefined> => {
  let [began, first] = [performance.now(), 0]
  for (const last of turn === 0 ? plan.commands.map((_, i) => i + 1) : prepared.stops) {
    compiled.run(list, scratch(0), first, last)
    first = last
    if (performance.now() - began >= turn) {
      await others()
      began = performance.now()
    }
  }
}

/** All commands at once: the threads are woken once. */
export const atOnce: Carry = (listed) => {
  const { run, list, scratch, together } = listed
  return together ? run.team.run(run.compiled.module, { list, scratch, first: 0, last: run.plan.commands.length }) : alone(listed)
}

/** Inputs in, every command in its order, outputs out. */
export const executeAll = async (run: Run, carry: Carry): Promise<E.Either<DeviceError, unknown>> => {
  const { device, memory, scratch, prepared, threads, wake } = run
  const arena = scratch.atLeast(partsFrom(0, run).end + granule)
  if (E.isLeft(arena)) return arena
  const parts = partsFrom(arena.right, run)
  const addresses = addressesOf(run, arena.right)
  const together = threads > 1 && prepared.shared > 0 && prepared.shared >= 1000 * wake
  memory.write(parts.parameters, prepared.words)
  memory.write(
    parts.list,
    prepared.list.made(prepared.chunks, together ? threads : 1, {
      addresses,
      bytes: prepared.layout.bytes,
      parameters: parts.parameters,
      firstByte: prepared.firstByte,
    }),
  )
  writeGivens(run, addresses)
  const died = await carry({ run, list: parts.list, scratch: parts.scratch, together })
  return died === undefined ? E.right(outputs(run, addresses)) : E.left({ tag: 'deviceLost', device, because: died })
}
