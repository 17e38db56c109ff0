import { afterAll } from 'vitest'
import { openCpu } from '../../../backends/cpu/index.js'
import { describeCompositions } from '../compositions.js'

const device = openCpu()
afterAll(device.release)

describeCompositions(() => device)
