import { pipe } from 'fp-ts/lib/function.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { AcquireError } from './acquire-error.js'
import type { Precision } from './scheduled.js'

/** A device and its owner's duty: whoever acquires it releases it. Dawn keeps a core busy until then. */
export interface Acquired {
  readonly adapterName: string
  readonly isHardware: boolean
  readonly device: GPUDevice
  readonly limits: DeviceLimits
  /** Of the adapter, sorted. */
  readonly features: readonly string[]
  /** Waits for submitted work, then destroys the device; a second call waits for the first. Settle pending maps and unmap buffers before. */
  readonly release: T.Task<void>
}

/** What of a device shapes a plan. */
export type DeviceLimits = Readonly<Record<(typeof raised | typeof fixed)[number], number>>

/** `minimum` is what WebGPU guarantees everywhere: with it one machine shows what holds on all. */
export type LimitsOf = 'adapter' | 'minimum'

const raised = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxUniformBufferBindingSize',
  'maxStorageBuffersPerShaderStage',
  'maxComputeWorkgroupStorageSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
  'maxComputeWorkgroupSizeY',
  'maxComputeWorkgroupSizeZ',
] as const

const fixed = ['maxComputeWorkgroupsPerDimension', 'minStorageBufferOffsetAlignment', 'minUniformBufferOffsetAlignment'] as const

/** What is used where an adapter has it: to measure, and to compute, which one within the least limits does without. */
const wanted: { readonly [L in LimitsOf]: readonly GPUFeatureName[] } = {
  adapter: ['timestamp-query', 'subgroups'],
  minimum: ['timestamp-query'],
}

interface Asked {
  readonly limitsOf: LimitsOf
  readonly precision: Precision
}

/** A device with the limits asked for, and numbers of 16 bits where its programs are to have them. It consumes the adapter: every device needs a fresh one. */
export const openDevice = (adapter: GPUAdapter, { limitsOf, precision }: Asked): TE.TaskEither<AcquireError, Acquired> => {
  const halves: readonly GPUFeatureName[] = precision === 'f32' ? [] : ['shader-f16']
  if (!halves.every((name) => adapter.features.has(name))) return TE.left({ tag: 'noHalves', adapterName: nameOf(adapter.info), precision })
  return pipe(
    TE.tryCatch(
      () =>
        adapter.requestDevice({
          requiredFeatures: [...wanted[limitsOf].filter((name) => adapter.features.has(name)), ...halves],
          requiredLimits: limitsOf === 'adapter' ? pick(raised, adapter.limits) : {},
        }),
      (cause): AcquireError => ({ tag: 'deviceRefused', adapterName: nameOf(adapter.info), cause: String(cause) }),
    ),
    TE.map((device) => ({
      adapterName: nameOf(adapter.info),
      isHardware: !adapter.info.isFallbackAdapter,
      device,
      limits: pick([...raised, ...fixed], device.limits),
      features: [...adapter.features].sort(),
      release: once(destroy(device)),
    })),
  )
}

const pick = <K extends string>(names: readonly K[], limits: Readonly<Record<K, number>>): Record<K, number> =>
  Object.fromEntries(names.map((name) => [name, limits[name]])) as Record<K, number>

const nameOf = ({ vendor, architecture, description }: GPUAdapterInfo): string => `${vendor} ${architecture} (${description})`

const destroy =
  (device: GPUDevice): T.Task<void> =>
  async () => {
    await device.queue.onSubmittedWorkDone().catch(() => undefined) // a lost device has no work left to wait for
    device.destroy()
    await device.lost
  }

const once = <A>(task: T.Task<A>): T.Task<A> => {
  let started: Promise<A> | undefined
  return () => (started ??= task())
}
