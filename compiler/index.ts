/** The plan, shared by the backends: from a graph to kernels, memory and commands. */
export { canonicalise } from './canonicalise.js'
export { baseline, group, type Limits, type Reason } from './group.js'
export { interpret, type Interpreted, interpretKernel, parameterValue } from './interpret.js'
export * from './loop-ir.js'
export * from './memory.js'
export * from './plan.js'
export { printCommands, printExpr, printKernel, printMemory } from './print.js'
export { plan } from './program-plan.js'
