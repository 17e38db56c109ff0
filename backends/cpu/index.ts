/** Values on the CPU: the device, what it makes of a plan, and the reference evaluator. */
export { moduleBytes, moduleText } from './compile.js'
export { type CpuOptions, openCpu, withCpu } from './device.js'
export * from './evaluate.js'
