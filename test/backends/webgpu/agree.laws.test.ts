import type { Schedule } from '../../../backends/webgpu/index.js'
import { law } from '../../law.js'
import { largeSizes } from '../../programs/index.js'
import { agreement } from '../agreement.js'
import { openedForAll } from './opened.js'

/** Tiles that a driver compiles in a part of the time that those of a usual schedule take, and of which small sizes have more than one. */
const small: Schedule = { tiling: { tile: { outer: 2, inner: 4 } }, keeps: true }

const quick = openedForAll({ schedules: { software: small, hardware: small } })
const usual = openedForAll()

law(
  'the reference, the interpreter and WebGPU agree within the computed bound, on values and gradients',
  agreement(() => [quick()]),
  { runs: 130 },
)

law(
  'so they do at sizes on the edges of workgroups and tiles',
  agreement(() => [quick()], largeSizes),
  { runs: 15 },
)

law(
  'so they do with the usual tiles',
  agreement(() => [usual()]),
  { runs: 20 },
)

law(
  'so they do with the usual tiles at sizes on their edges',
  agreement(() => [usual()], largeSizes),
  { runs: 5 },
)
