import { emitKernel, withWebGpu } from '../../../backends/webgpu/index.js'
import { describeContract } from '../contract.js'
import { kind, openedForAll } from './opened.js'

describeContract({
  device: openedForAll(),
  within: withWebGpu(kind),
  textOf: ({ kernels }) => kernels.map(emitKernel).join('\n'),
})
