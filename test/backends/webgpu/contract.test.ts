import { scheduled, wgslTexts, withWebGpu } from '../../../backends/webgpu/index.js'
import { describeContract } from '../contract.js'
import { describeVocabulary } from '../vocabulary.js'
import { kind, openedForAll } from './opened.js'

const device = openedForAll()

describeContract({ device, within: withWebGpu(kind), textOf: (plan) => wgslTexts(scheduled(plan)).join('\n') })
describeVocabulary(device)
