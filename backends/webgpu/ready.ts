import type { Plan } from '../../compiler/index.js'
import type { Gpu } from './gpu.js'
import type { ParameterBlocks } from './parameters.js'
import type { Compiled } from './pipelines.js'

/** A plan whose kernels are compiled. */
export interface Ready {
  readonly gpu: Gpu
  readonly plan: Plan
  /** For each of the plan's kernels. */
  readonly compiled: readonly Compiled[]
  readonly blocks: ParameterBlocks
  readonly parameters: GPUBuffer
}
