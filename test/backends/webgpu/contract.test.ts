import { emitKernel, inTiles, withWebGpu } from '../../../backends/webgpu/index.js'
import { describeContract } from '../contract.js'
import { describeVocabulary } from '../vocabulary.js'
import { kind, openedForAll } from './opened.js'

const device = openedForAll()

describeContract({ device, within: withWebGpu(kind), textOf: (plan) => inTiles(plan).kernels.map(emitKernel).join('\n') })
describeVocabulary(device)
