import { afterAll, beforeAll } from 'vitest'
import type { Device } from '../../../backends/backend.js'
import {
  type AcquireSettings,
  type Kind,
  type LimitsOf,
  openWebGpu,
  renderAcquireError,
  usualSettings,
} from '../../../backends/webgpu/index.js'
import { right } from '../../right.js'

/** The software adapter, whose driver comes with `npm install`; ADAPTER=webgpu runs the same tests on one of this system. */
export const kind: Kind = process.env['ADAPTER'] === 'webgpu' ? 'webgpu' : 'software'

/** LIMITS=minimum runs them within what WebGPU guarantees everywhere: 8 storage buffers, bindings of 128 MiB, 16 KiB for a workgroup. */
const limitsOf: LimitsOf = process.env['LIMITS'] === 'minimum' ? 'minimum' : 'adapter'

/** A device with these settings. There is no "skip where no adapter is": its absence is a failure. */
export const open = async (settings: Partial<AcquireSettings> = {}): Promise<Device> =>
  right(await openWebGpu(kind, { ...usualSettings(), limitsOf, ...settings })(), renderAcquireError)

/** A device for all tests of a file. */
export const openedForAll = (settings: Partial<AcquireSettings> = {}): (() => Device) => {
  let device: Device | undefined
  beforeAll(async () => {
    device = await open(settings)
  })
  afterAll(() => device?.release())
  return () => device!
}
