import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Device } from './backend.js'
import { openCpu } from './cpu/device.js'
import type { CpuOptions } from './cpu/options.js'
import type { AcquireError } from './webgpu/acquire-error.js'
import { usualSettings } from './webgpu/acquire.js'
import { openWebGpu } from './webgpu/runtime.js'
import type { Precision } from './webgpu/scheduled.js'
import type { Schedules } from './webgpu/schedules.js'

/**
 * Where to run: `cpu`, the processor, which is always there; `webgpu`, an adapter of the system; `software`, an adapter that comes from npm;
 * `auto`, the system's graphics hardware, else the processor.
 */
export type DeviceKind = 'cpu' | 'auto' | 'webgpu' | 'software'

/** The processor's options, and how adapters cut heavy kernels where that is not as usual. */
export interface DeviceOptions extends CpuOptions {
  readonly schedules?: Schedules
  /** In how many bits adapters keep and multiply floats: see `Precision`. The processor has 32. */
  readonly precision?: Precision
}

const settingsOf = ({ schedules, precision = 'f32' }: DeviceOptions) => ({
  ...usualSettings(),
  ...(schedules !== undefined && { schedules }),
  precision,
})

const cpu = ({ precision = 'f32', ...options }: DeviceOptions): TE.TaskEither<AcquireError, Device> =>
  precision === 'f32' ? TE.fromIO(() => openCpu(options)) : TE.left({ tag: 'noHalves', adapterName: 'the processor', precision })

/** An adapter that is software is slower than the processor itself. */
const hardware = (options: DeviceOptions): TE.TaskEither<undefined, Device> =>
  pipe(
    openWebGpu('webgpu', settingsOf(options)),
    TE.mapLeft(() => undefined),
    TE.chain((device) => async () => {
      if (device.facts.isHardware) return E.right(device)
      await device.release()
      return E.left(undefined)
    }),
  )

const openers: { readonly [K in DeviceKind]: (options: DeviceOptions) => TE.TaskEither<AcquireError, Device> } = {
  cpu,
  webgpu: (options) => openWebGpu('webgpu', settingsOf(options)),
  software: (options) => openWebGpu('software', settingsOf(options)),
  auto: (options) => TE.orElse(() => cpu(options))(hardware(options)),
}

export const deviceKinds = Object.keys(openers) as readonly DeviceKind[]

/** Open a device, the processor unless another is named; its `name` says which it is. The caller owns it and releases it. */
export const openDevice = (kind: DeviceKind = 'cpu', options: DeviceOptions = {}): TE.TaskEither<AcquireError, Device> =>
  openers[kind](options)
