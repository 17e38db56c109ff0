import { expect, test } from 'vitest'
import { usualSchedules, wgslOf, scheduled, type Schedule } from '../../../backends/webgpu/index.js'
import { contract, f32, program, sizeOf } from '../../../dsl/index.js'
import { law } from '../../law.js'
import { largeSizes } from '../../programs/index.js'
import { agreement } from '../agreement.js'
import { agreeing, load, planned, some } from '../opened.js'
import { kind, openedForAll } from './opened.js'

/** What graphics hardware runs, forced upon a device that is none: workgroups small enough that the sizes of random programs are several. */
const small: Schedule = { tiling: { tile: { outer: 2, inner: 2 }, shares: { lanes: 4, depth: 4 } } }

const opened = openedForAll({ schedules: { software: small, hardware: small } })

/** The software adapter from npm takes seconds to compile a barrier. */
const runs = kind === 'webgpu' ? 60 : 4

law(
  'workgroups that share agree with the reference within the computed bound',
  agreement(() => [opened()]),
  { runs },
)

law(
  'so they do at sizes on the edges of workgroups and tiles',
  agreement(() => [opened()], largeSizes),
  { runs: Math.ceil(runs / 6) },
)

const product = program({
  inputs: { x: f32({ row: sizeOf('row'), k: 24 }), y: f32({ k: 24, column: 20 }) },
  body: ({ x, y }) => ({ outputs: { z: contract('k')(x, y) } }),
})

test('a product whose rows are several workgroups, and no whole number of them', async () => {
  await agreeing(product, await load(opened(), product), { x: some(21, 24), y: some(24, 20) })
})

test('what is read from outside a workgroup is read in vectors, once', () => {
  const text = wgslOf(scheduled(planned(product), usualSchedules.hardware).plan, 0)
  expect(text.match(/var<workgroup>/g)).toHaveLength(2)
  expect(text).toContain('array<vec4<f32>>')
  expect(text).toContain('workgroupBarrier();')
  expect(text).toContain('@workgroup_size(256)')
})
