import * as E from 'fp-ts/lib/Either.js'
import type { DType, HostData } from '../../dsl/index.js'
import type { DeviceError } from '../backend.js'
import { createHeap } from './heap.js'
import { mostPages, pageBytes } from './wasm/emit/program.js'

/** The numbers of a tensor where they lie. Growth makes a view stale: take it, use it, forget it. */
export type View = Float32Array | Int32Array | Uint32Array

/** The device's one memory, and the allocator of it. */
export interface DeviceMemory {
  readonly wasm: WebAssembly.Memory
  readonly allocate: (bytes: number) => E.Either<DeviceError, number>
  readonly free: (address: number) => void
  readonly view: (dtype: DType, address: number, elements: number) => View
  /** Move bytes within the memory. */
  readonly copy: (from: number, to: number, bytes: number) => void
  /** How often memory has been given or the memory grown. */
  readonly allocations: () => number
  readonly used: () => number
}

/** Address 0 is nobody's. */
const firstAddress = 1024

/**
 * 16 MiB from the start, which costs nothing until it is touched. A kernel may read at the nearest place inside an axis that is empty, and
 * what it reads there does not matter; but it must be there.
 */
const firstPages = 256

export const mostBytes = mostPages * pageBytes

const viewOf: { readonly [D in DType]: (buffer: ArrayBufferLike, address: number, elements: number) => View } = {
  f32: (buffer, address, elements) => new Float32Array(buffer, address, elements),
  i32: (buffer, address, elements) => new Int32Array(buffer, address, elements),
  u32: (buffer, address, elements) => new Uint32Array(buffer, address, elements),
  bool: (buffer, address, elements) => new Uint32Array(buffer, address, elements),
}

/** Copy numbers of the host to a tensor, each as its type stores it. */
export const write = (dtype: DType, view: View, data: HostData): void => {
  if (dtype === 'bool') view.set(Array.from(data, (x) => (x === 0 ? 0 : 1)))
  else view.set(data)
}

export const createMemory = (device: string, limit: number): DeviceMemory => {
  const wasm = new WebAssembly.Memory({ initial: firstPages, maximum: mostPages, shared: true })
  const heap = createHeap(firstAddress, limit)
  let count = 0

  const outOfMemory = (bytes: number): E.Either<DeviceError, number> =>
    E.left({ tag: 'outOfMemory', device, asked: heap.used() + bytes, limit })

  /** Whether the memory reaches so far. It grows by an eighth at least, so that small steps do not grow it often. */
  const reaches = (end: number): boolean => {
    const pages = wasm.buffer.byteLength / pageBytes
    const needed = Math.ceil(end / pageBytes)
    if (needed <= pages) return true
    count += 1
    try {
      wasm.grow(Math.min(mostPages, Math.max(needed, Math.ceil((pages * 9) / 8))) - pages)
      return true
    } catch {
      return false // the system has no more to give
    }
  }

  return {
    wasm,
    allocate: (bytes) => {
      const address = heap.allocate(bytes)
      if (address === undefined) return outOfMemory(bytes)
      count += 1
      if (reaches(address + bytes)) return E.right(address)
      heap.free(address)
      return outOfMemory(bytes)
    },
    free: heap.free,
    view: (dtype, address, elements) => viewOf[dtype](wasm.buffer, address, elements),
    copy: (from, to, bytes) => void new Uint8Array(wasm.buffer).copyWithin(to, from, from + bytes),
    allocations: () => count,
    used: heap.used,
  }
}
