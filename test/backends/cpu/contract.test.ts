import { afterAll } from 'vitest'
import { moduleText, openCpu, withCpu } from '../../../backends/cpu/index.js'
import { describeContract } from '../contract.js'

const device = openCpu()
afterAll(device.release)

describeContract({ device: () => device, within: withCpu(), textOf: moduleText })
