import * as E from 'fp-ts/lib/Either.js'
import { type Elements, elementsAt } from '../../compiler/index.js'
import type { DType } from '../../dsl/index.js'
import type { DeviceError } from '../backend.js'
import { createHeap, granule } from './heap.js'
import { mostPages, pageBytes } from './wasm/emit/program.js'

/** The device's one memory, and the allocator of it. */
export interface DeviceMemory {
  readonly wasm: WebAssembly.Memory
  /** The address of so many bytes, and of one element at least: a kernel may read, and not use, the first of an empty tensor. */
  readonly allocate: (bytes: number) => E.Either<DeviceError, number>
  readonly free: (address: number) => void
  /** So many elements where they lie. Growth makes them stale: take them, use them, forget them. */
  readonly elements: (dtype: DType, address: number, count: number) => Elements
  readonly write: (address: number, bytes: Uint8Array) => void
  /** Move bytes within the memory. */
  readonly copy: (from: number, to: number, bytes: number) => void
  /** How often memory has been given or the memory grown. */
  readonly allocations: () => number
  readonly used: () => number
}

/** Address 0 is nobody's. */
const firstAddress = 1024

/** 16 MiB from the start, which costs nothing until it is touched. */
const firstPages = 256

export const mostBytes = mostPages * pageBytes

export const createMemory = (device: string, limit: number): DeviceMemory => {
  const wasm = new WebAssembly.Memory({ initial: firstPages, maximum: mostPages, shared: true })
  const heap = createHeap(firstAddress, limit)
  let count = 0

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
      const held = heap.used()
      if (address === undefined) return E.left({ tag: 'outOfMemory', device, asked: held + bytes, limit })
      count += 1
      if (reaches(address + Math.max(bytes, granule))) return E.right(address)
      heap.free(address)
      return E.left({ tag: 'exhausted', device, asked: bytes, held: heap.used() })
    },
    free: heap.free,
    elements: (dtype, address, count) => elementsAt(dtype, wasm.buffer, address, count),
    write: (address, bytes) => new Uint8Array(wasm.buffer).set(bytes, address),
    copy: (from, to, bytes) => void new Uint8Array(wasm.buffer).copyWithin(to, from, from + bytes),
    allocations: () => count,
    used: heap.used,
  }
}
