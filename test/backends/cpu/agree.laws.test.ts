import { afterAll } from 'vitest'
import { openCpu } from '../../../backends/cpu/index.js'
import { law } from '../../law.js'
import { agreement } from '../agreement.js'

const device = openCpu()
afterAll(device.release)

law(
  'the reference, the interpreter and WebAssembly agree within the computed bound',
  agreement(() => device),
  { runs: 300 },
)
