import * as E from 'fp-ts/lib/Either.js'
import { type Command, outputTree, type Plan } from '../../compiler/index.js'
import type { DeviceError } from '../backend.js'
import type { Givens } from '../givens.js'
import { granule } from './heap.js'
import type { DeviceMemory } from './memory.js'
import type { Prepared } from './prepare.js'
import type { Scratch } from './scratch.js'
import { scratchBytes } from './wasm/emit/packed.js'

/** A kernel's function: the address of its parameters, of each of its buffers, then of scratch memory. */
export type KernelFunction = (...addresses: readonly number[]) => unknown

const others = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

interface Run {
  readonly plan: Plan
  readonly functions: readonly KernelFunction[]
  readonly memory: DeviceMemory
  readonly scratch: Scratch
  readonly prepared: Prepared
  readonly givens: Givens<number>
  readonly bound: ReadonlyMap<string, number>
  /** How long to work, in milliseconds, before others have a turn: progress, and Ctrl-C. */
  readonly turn: number
}

/** Where each buffer of the plan lies in this run. */
const addressesOf = ({ prepared: { layout }, givens: { resident } }: Run, arena: number): readonly number[] =>
  layout.offsets.map((offset, buffer) => resident.get(buffer)?.place ?? arena + offset)

const writeGivens = ({ memory, prepared: { layout }, givens: { copies, uploads } }: Run, addresses: readonly number[]): void => {
  for (const [buffer, { place }] of copies) memory.copy(place, addresses[buffer] ?? 0, layout.bytes[buffer] ?? 0)
  for (const [buffer, { buffer: bytes, byteOffset, byteLength }] of uploads)
    memory.write(addresses[buffer] ?? 0, new Uint8Array(bytes, byteOffset, byteLength))
}

const execute = (
  { functions, memory, prepared: { layout } }: Run,
  command: Command,
  addresses: readonly number[],
  words: number,
  blocks: number,
): void => {
  const at = (buffer: number): number => addresses[buffer] ?? 0
  if (command.tag === 'copy') memory.copy(at(command.from), at(command.to), layout.bytes[command.from] ?? 0)
  else functions[command.kernel]?.(words, ...command.buffers.map(at), blocks)
}

/** Copies: the next run works in the same memory. */
const outputs = ({ plan, memory, prepared: { layout }, bound }: Run, addresses: readonly number[]): unknown =>
  outputTree(plan, bound, ({ buffer }) => {
    const [dtype = 'f32', address = 0, bytes = 0] = [plan.buffers[buffer]?.dtype, addresses[buffer], layout.bytes[buffer]]
    return memory.elements(dtype, address, bytes / 4).slice()
  })

/** Inputs in, every command in its order, outputs out. */
export const executeAll = async (run: Run): Promise<E.Either<DeviceError, unknown>> => {
  const { plan, memory, scratch, prepared, turn } = run
  // With room for an element after it: that is where the first of an empty tensor may be, which a kernel may read, and not use.
  const arena = scratch.atLeast(prepared.layout.arena + prepared.words.byteLength + 4 + granule + scratchBytes)
  if (E.isLeft(arena)) return arena
  const addresses = addressesOf(run, arena.right)
  const words = arena.right + prepared.layout.arena
  const blocks = Math.ceil((words + prepared.words.byteLength + 4) / granule) * granule
  memory.write(words, prepared.words)
  writeGivens(run, addresses)
  let began = performance.now()
  for (const [i, command] of plan.commands.entries()) {
    execute(run, command, addresses, words + (prepared.firstByte[i] ?? 0), blocks)
    if (performance.now() - began >= turn) {
      await others()
      began = performance.now()
    }
  }
  return E.right(outputs(run, addresses))
}
