import * as E from 'fp-ts/lib/Either.js'
import type { DeviceError } from '../backend.js'
import type { DeviceLimits } from './device.js'
import { bufferUsage } from './flags.js'
import { inVectors, vectorBytes } from './whole-vectors.js'

const usages = {
  /** What kernels read and write, and what is copied to and from. */
  data: bufferUsage.storage | bufferUsage.copySrc | bufferUsage.copyDst,
  parameters: bufferUsage.uniform | bufferUsage.copyDst,
  /** What the device's clock is written to. */
  queries: bufferUsage.queryResolve | bufferUsage.copySrc,
  /** What the host reads. */
  staging: bufferUsage.mapRead | bufferUsage.copyDst,
} as const

export type Usage = keyof typeof usages

/** The buffers of a device: made here, counted, and destroyed with it. */
export class Memory {
  private readonly buffers = new Set<GPUBuffer>()
  private made = 0
  private total = 0

  constructor(
    private readonly device: GPUDevice,
    private readonly limits: DeviceLimits,
    private readonly name: string,
  ) {}

  /** How many buffers have been made so far. */
  get allocations(): number {
    return this.made
  }

  /** The bytes of the buffers that there are. */
  get bytes(): number {
    return this.total
  }

  /** The device does not throw where a buffer is too large, so the bytes are counted first. Each is a whole number of vectors, and at least one. */
  create(bytes: number, usage: Usage): E.Either<DeviceError, GPUBuffer> {
    const size = Math.max(vectorBytes, inVectors(bytes))
    if (size > this.limits.maxBufferSize) return E.left(this.tooMuch(size, this.limits.maxBufferSize))
    const buffer = this.device.createBuffer({ size, usage: usages[usage] })
    this.made += 1
    this.total += size
    this.buffers.add(buffer)
    return E.right(buffer)
  }

  has(buffer: GPUBuffer): boolean {
    return this.buffers.has(buffer)
  }

  destroy(buffer: GPUBuffer): void {
    if (!this.buffers.delete(buffer)) return
    this.total -= buffer.size
    buffer.destroy()
  }

  tooMuch(asked: number, limit: number): DeviceError {
    return { tag: 'outOfMemory', device: this.name, asked, limit }
  }
}
