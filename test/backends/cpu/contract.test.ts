import { afterAll } from 'vitest'
import { moduleText, openCpu, withCpu } from '../../../backends/cpu/index.js'
import { describeContract } from '../contract.js'
import { describeVocabulary } from '../vocabulary.js'

const device = openCpu()
afterAll(device.release)

describeContract({ device: () => device, within: withCpu(), textOf: moduleText })
describeVocabulary(() => device)
