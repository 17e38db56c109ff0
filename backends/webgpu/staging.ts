import * as E from 'fp-ts/lib/Either.js'
import { type Elements, elementsAt } from '../../compiler/index.js'
import type { DType } from '../../dsl/index.js'
import type { DeviceError } from '../backend.js'
import { mapMode } from './flags.js'
import type { Memory } from './memory.js'

/** A copy of some of the bytes, as elements of a type. */
export const copiedElements = (dtype: DType, bytes: ArrayBuffer, offset: number, length: number): Elements =>
  elementsAt(dtype, bytes.slice(offset, offset + length), 0, length / 4)

/** Do something where a step was refused: give back what the steps before it took. */
export const onLeft =
  (giveBack: () => void) =>
  <E1, A>(result: E.Either<E1, A>): E.Either<E1, A> => {
    if (E.isLeft(result)) giveBack()
    return result
  }

const smallest = 4096

/** The power of two that holds so many bytes: runs of nearly the same sizes share a buffer. */
const capacityFor = (bytes: number): number => 2 ** Math.ceil(Math.log2(Math.max(smallest, bytes)))

/** Buffers that the host reads, kept for the next reader. */
export class Staging {
  private readonly free: GPUBuffer[] = []

  constructor(
    private readonly memory: Memory,
    private readonly largest: number,
  ) {}

  take(bytes: number): E.Either<DeviceError, GPUBuffer> {
    const capacity = bytes > this.largest ? bytes : Math.min(this.largest, capacityFor(bytes))
    const at = this.free.findIndex(({ size }) => size === capacity)
    const [found] = at < 0 ? [] : this.free.splice(at, 1)
    return found === undefined ? this.memory.create(capacity, 'staging') : E.right(found)
  }

  /** Of what was taken and not read. */
  giveBack(buffer: GPUBuffer): void {
    if (this.memory.has(buffer)) this.free.push(buffer)
  }

  /** Wait until the device has written the buffer, then use its bytes and give the buffer back. They are gone afterwards. */
  async read<A>(buffer: GPUBuffer, bytes: number, use: (bytes: ArrayBuffer) => A): Promise<A> {
    try {
      await buffer.mapAsync(mapMode.read, 0, bytes)
      return use(buffer.getMappedRange(0, bytes))
    } catch (failure) {
      this.memory.destroy(buffer)
      throw failure
    } finally {
      buffer.unmap()
      this.giveBack(buffer)
    }
  }
}
