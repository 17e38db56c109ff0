/** Values on a GPU, or on a software adapter, through WebGPU. */
export { type AcquireError, renderAcquireError } from './acquire-error.js'
export { type AcquireSettings, type Kind, usualSettings } from './acquire.js'
export type { LimitsOf } from './device.js'
export { emitKernel } from './emit/kernel.js'
export { openWebGpu, withWebGpu } from './runtime.js'
export { scheduled, wgslOf } from './scheduled.js'
export { type DeviceClass, type Schedule, type Schedules, usualSchedules } from './schedules.js'
