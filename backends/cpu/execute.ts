import * as E from 'fp-ts/lib/Either.js'
import type { Command, Plan } from '../../compiler/index.js'
import { type Bound, hasData } from '../../dsl/index.js'
import type { DeviceError } from '../backend.js'
import { outputTree } from '../outputs.js'
import { type DeviceMemory, write } from './memory.js'
import type { Prepared } from './prepare.js'
import type { Residents } from './residents.js'
import type { Scratch } from './scratch.js'

/** A kernel's function: the address of its parameters, then of each of its buffers. */
export type KernelFunction = (...addresses: readonly number[]) => unknown

const others = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

interface Run {
  readonly plan: Plan
  readonly functions: readonly KernelFunction[]
  readonly memory: DeviceMemory
  readonly scratch: Scratch
  readonly prepared: Prepared
  readonly residents: Residents
  readonly bound: Bound
  /** How long to work, in milliseconds, before others have a turn: progress, and Ctrl-C. */
  readonly turn: number
}

/** Where each buffer of the plan lies in this run. */
const addressesOf = ({ prepared: { layout }, residents: { inPlace } }: Run, arena: number): readonly number[] =>
  layout.offsets.map((offset, buffer) => inPlace.get(buffer) ?? arena + offset)

const writeInputs = ({ plan, memory, prepared: { layout }, residents, bound }: Run, addresses: readonly number[]): void =>
  plan.buffers.forEach(({ role, dtype }, buffer) => {
    const [address = 0, bytes = 0] = [addresses[buffer], layout.bytes[buffer]]
    const source = residents.copied.get(buffer)
    if (source !== undefined) memory.copy(source, address, bytes)
    const value = role.tag === 'given' ? bound.values.get(role.path) : undefined
    if (value !== undefined && hasData(value)) write(dtype, memory.view(dtype, address, bytes / 4), value.data)
  })

const execute = ({ functions, memory, prepared: { layout } }: Run, command: Command, addresses: readonly number[], words: number): void => {
  const at = (buffer: number): number => addresses[buffer] ?? 0
  if (command.tag === 'copy') memory.copy(at(command.from), at(command.to), layout.bytes[command.from] ?? 0)
  else functions[command.kernel]?.(words, ...command.buffers.map(at))
}

/** Copies: the next run works in the same memory. */
const outputs = ({ plan, memory, prepared: { layout }, bound }: Run, addresses: readonly number[]): unknown =>
  outputTree(plan, bound.sizes, ({ buffer }) => {
    const [dtype = 'f32', address = 0, bytes = 0] = [plan.buffers[buffer]?.dtype, addresses[buffer], layout.bytes[buffer]]
    return memory.view(dtype, address, bytes / 4).slice()
  })

/** Inputs in, every command in its order, outputs out. */
export const executeAll = async (run: Run): Promise<E.Either<DeviceError, unknown>> => {
  const { plan, memory, scratch, prepared, turn } = run
  const arena = scratch.atLeast(prepared.layout.arena + prepared.words.byteLength)
  if (E.isLeft(arena)) return arena
  const addresses = addressesOf(run, arena.right)
  const words = arena.right + prepared.layout.arena
  memory.view('i32', words, prepared.words.length).set(prepared.words)
  writeInputs(run, addresses)
  let began = performance.now()
  for (const [i, command] of plan.commands.entries()) {
    execute(run, command, addresses, words + 4 * (prepared.firstWord[i] ?? 0))
    if (performance.now() - began >= turn) {
      await others()
      began = performance.now()
    }
  }
  return E.right(outputs(run, addresses))
}
