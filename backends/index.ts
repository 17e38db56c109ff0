/** What every place where programs run has in common. */
export * from './backend.js'
export { withDevice } from './bracket.js'
export { leftBy, type Left } from './leaks.js'
export { chromeTrace, type Peak, type Profile, profileTable, reached, type Span, type Timed } from './profile.js'
export { type AcquireError, renderAcquireError } from './webgpu/acquire-error.js'
export type { Precision } from './webgpu/scheduled.js'
export { type DeviceKind, type DeviceOptions, deviceKinds, openDevice } from './open.js'
