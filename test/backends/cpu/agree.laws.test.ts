import { afterAll } from 'vitest'
import { openCpu } from '../../../backends/cpu/index.js'
import { law } from '../../law.js'
import { largeSizes } from '../../programs/index.js'
import { agreement } from '../agreement.js'

const device = openCpu()
afterAll(device.release)

law(
  'the reference, the interpreter and WebAssembly agree within the computed bound',
  agreement(() => device),
  { runs: 300 },
)

law(
  'so they do at sizes on the edges of vectors and tiles',
  agreement(() => device, largeSizes),
  { runs: 40 },
)
