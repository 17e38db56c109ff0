import * as E from 'fp-ts/lib/Either.js'
import type { DeviceError } from '../backend.js'
import type { Memory } from './memory.js'

/**
 * The one buffer in which every program's tensors lie while it runs. Commands are executed in the order in which they were
 * submitted, so programs take turns in it without waiting for each other.
 */
export class Arena {
  private buffer: GPUBuffer | undefined

  constructor(private readonly memory: Memory) {}

  /** The arena, with room for so many bytes. What was submitted before keeps the smaller one until it is done. */
  atLeast(bytes: number): E.Either<DeviceError, GPUBuffer> {
    if (this.buffer !== undefined && this.buffer.size >= bytes) return E.right(this.buffer)
    this.forget()
    const made = this.memory.create(bytes, 'data')
    if (E.isRight(made)) this.buffer = made.right
    return made
  }

  forget(): void {
    if (this.buffer !== undefined) this.memory.destroy(this.buffer)
    this.buffer = undefined
  }
}
