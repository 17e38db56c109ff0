import { afterAll } from 'vitest'
import { openCpu } from '../../../backends/cpu/index.js'
import { law } from '../../law.js'
import { largeSizes } from '../../programs/index.js'
import { agreement } from '../agreement.js'

/** With relaxed SIMD on two threads, which share all they can, and without it on one. */
const devices = [openCpu({ threads: 2, wake: 0 }), openCpu({ threads: 1, strict: true })]
afterAll(async () => {
  for (const device of devices) await device.release()
})

law(
  'the reference, the interpreter and WebAssembly agree within the computed bound, on values and gradients',
  agreement(() => devices),
  { runs: 1000 },
)

law(
  'so they do at sizes on the edges of vectors and tiles',
  agreement(() => devices, largeSizes),
  { runs: 60 },
)
