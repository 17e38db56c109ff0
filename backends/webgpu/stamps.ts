import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { DeviceError } from '../backend.js'
import type { Span } from '../profile.js'
import type { Gpu } from './gpu.js'
import { onLeft } from './staging.js'

/** The device's clock, read before and after each dispatch of a run. */
export interface Stamps {
  /** What the pass of a dispatch writes: each has a pass of its own. */
  readonly around: (dispatch: number) => GPUComputePassTimestampWrites
  /** To be given after the dispatches. */
  readonly resolve: (encoder: GPUCommandEncoder) => void
  /** When each dispatch ran. */
  readonly read: () => Promise<readonly Span[]>
}

export const canStamp = ({ device }: Gpu): boolean => device.features.has('timestamp-query')

/** As many dispatches as one set of queries may have. */
const perSet = 2048

const bytesPerStamp = 8

interface Buffers {
  readonly resolved: GPUBuffer
  readonly staging: GPUBuffer
}

const buffersOf = ({ memory, staging }: Gpu, bytes: number): E.Either<DeviceError, Buffers> =>
  pipe(
    staging.take(bytes),
    E.bindTo('staging'),
    E.bind('resolved', ({ staging: taken }) =>
      pipe(
        memory.create(bytes, 'queries'),
        onLeft(() => staging.giveBack(taken)),
      ),
    ),
  )

const spansOf = (bytes: ArrayBuffer, dispatches: number): readonly Span[] => {
  const stamps = new BigUint64Array(bytes, 0, 2 * dispatches)
  const start = stamps.find((stamp) => stamp !== 0n) ?? 0n
  const seconds = (from: bigint, to: bigint): number => Number(to - from) / 1e9
  return Array.from({ length: dispatches }, (_, i): Span => {
    const [from, to] = [stamps[2 * i] ?? 0n, stamps[2 * i + 1] ?? 0n]
    return from === 0n ? { begin: 0, seconds: 0 } : { begin: seconds(start, from), seconds: seconds(from, to) } // with nothing to do it was not given
  })
}

export const createStamps = (gpu: Gpu, dispatches: number): E.Either<DeviceError, Stamps> => {
  const { device, memory, staging } = gpu
  const bytes = 2 * bytesPerStamp * Math.max(1, dispatches)
  return pipe(
    buffersOf(gpu, bytes),
    E.let('sets', () =>
      Array.from({ length: Math.ceil(dispatches / perSet) }, (_, i) =>
        device.createQuerySet({ type: 'timestamp', count: 2 * Math.min(perSet, dispatches - i * perSet) }),
      ),
    ),
    E.map(({ resolved, staging: read, sets }) => ({
      around: (dispatch) => ({
        querySet: sets[Math.floor(dispatch / perSet)]!,
        beginningOfPassWriteIndex: 2 * (dispatch % perSet),
        endOfPassWriteIndex: 2 * (dispatch % perSet) + 1,
      }),
      resolve: (encoder) => {
        sets.forEach((set, i) => {
          encoder.resolveQuerySet(set, 0, set.count, resolved, 2 * bytesPerStamp * perSet * i)
        })
        encoder.copyBufferToBuffer(resolved, 0, read, 0, bytes)
      },
      read: async () => {
        try {
          return await staging.read(read, bytes, (mapped) => spansOf(mapped, dispatches))
        } finally {
          for (const set of sets) set.destroy()
          memory.destroy(resolved)
        }
      },
    })),
  )
}
