import { scheduled, wgslOf, withWebGpu } from '../../../backends/webgpu/index.js'
import { describeContract } from '../contract.js'
import { describeVocabulary } from '../vocabulary.js'
import { kind, openedForAll } from './opened.js'

const device = openedForAll()

describeContract({ device, within: withWebGpu(kind), textOf: (plan) => plan.kernels.map((_, i) => wgslOf(scheduled(plan), i)).join('\n') })
describeVocabulary(device)
