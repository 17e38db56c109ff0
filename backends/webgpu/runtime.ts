import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { alignment } from '../../compiler/index.js'
import type { Device, DeviceError } from '../backend.js'
import { withDevice } from '../bracket.js'
import { createHeld } from '../held.js'
import { onceRight } from '../remembered.js'
import type { AcquireError } from './acquire-error.js'
import { acquire, type Acquired, type AcquireSettings, type Kind, usualSettings } from './acquire.js'
import { Arena } from './arena.js'
import { watchFaults } from './faults.js'
import type { Gpu } from './gpu.js'
import { load } from './loaded.js'
import { Memory } from './memory.js'
import { createPipelines } from './pipelines.js'
import { measurePeak } from './peak.js'
import { usualSchedules } from './schedules.js'
import { Staging } from './staging.js'
import { drop, hold, read } from './tensors.js'

declare global {
  // In the open, because a process may hold two copies of axgrad, and a tensor of one must not be taken for one of the other.
  var axgradWebgpuDevices: number | undefined
}

const nextName = ({ adapterName }: Acquired): string => {
  globalThis.axgradWebgpuDevices = (globalThis.axgradWebgpuDevices ?? 0) + 1
  return `${adapterName} ${globalThis.axgradWebgpuDevices}`
}

/** How programs are made for a device. */
type Ways = Pick<AcquireSettings, 'schedules' | 'precision'>

const usualWays: Ways = { schedules: usualSchedules, precision: 'f32' }

/** All that the programs of an acquired device share. */
export const gpuOf = (acquired: Acquired, { schedules, precision }: Ways = usualWays): Gpu => {
  const { device, limits } = acquired
  const name = nextName(acquired)
  const memory = new Memory(device, limits, name)
  const faults = watchFaults(device, name, memory)
  const gpu: Gpu = {
    name,
    device,
    limits,
    schedule: schedules[acquired.isHardware ? 'hardware' : 'software'],
    precision,
    faults,
    memory,
    arena: new Arena(memory),
    staging: new Staging(memory, limits.maxBufferSize),
    held: createHeld(name),
    pipelines: createPipelines(device, limits, faults, name),
    peak: onceRight(() => measurePeak(gpu)),
    nothing: pipe(
      memory.create(alignment * limits.maxStorageBuffersPerShaderStage, 'data'),
      E.getOrElse((error): GPUBuffer => {
        throw new Error(`${error.tag}: no device is without room for a page`)
      }),
    ),
  }
  return gpu
}

/** An acquired device as a place where programs run. From here on it is this device that must be released. */
export const deviceOn = (acquired: Acquired, ways: Ways = usualWays): Device => {
  const gpu = gpuOf(acquired, ways)
  const working = new Set<Promise<unknown>>()
  const inFlight = async <A>(task: Promise<A>): Promise<A> => {
    working.add(task)
    try {
      return await task
    } finally {
      working.delete(task)
    }
  }
  const guarded =
    <A>(what: string, task: () => Promise<E.Either<DeviceError, A>>): TE.TaskEither<DeviceError, A> =>
    () => {
      const ready = gpu.faults.check(what)
      return E.isLeft(ready) ? Promise.resolve(ready) : inFlight(task())
    }
  const release = async (): Promise<void> => {
    gpu.faults.markReleased()
    await Promise.allSettled(working)
    await acquired.release() // and with it all buffers
  }
  let released: Promise<void> | undefined
  return {
    name: gpu.name,
    facts: { adapter: acquired.adapterName, isHardware: acquired.isHardware, limits: acquired.limits, features: acquired.features },
    load: (plan) => guarded('loading a program', () => load(gpu, plan, inFlight)()),
    hold: (dtype, value) => guarded('holding a tensor', () => hold(gpu, dtype, value)),
    read: (tensor) => guarded('reading a tensor', () => read(gpu, tensor)),
    holds: () => (E.isRight(gpu.faults.check('a list of tensors')) ? gpu.held.all() : []),
    drop: (tensor) => drop(gpu, tensor),
    release: () => (released ??= release()),
  }
}

/** A device of the kind. The caller owns it and releases it. */
export const openWebGpu = (kind: Kind, settings: AcquireSettings = usualSettings()): TE.TaskEither<AcquireError, Device> =>
  pipe(
    acquire(kind, settings),
    TE.map((acquired) => deviceOn(acquired, settings)),
  )

/** Open a device of the kind, use it and release it: `withWebGpu('software')((device) => …)`. */
export const withWebGpu = (kind: Kind, settings: AcquireSettings = usualSettings()): ReturnType<typeof withDevice<AcquireError>> =>
  withDevice(openWebGpu(kind, settings))
