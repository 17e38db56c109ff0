/** Values on the CPU: the device, what it makes of a plan, and the reference evaluator. */
export { moduleBytes, moduleText } from './compile.js'
export { inParts } from './parts.js'
export { openCpu, withCpu } from './device.js'
export type { CpuOptions } from './options.js'
export * from './evaluate.js'
