import { pipe } from 'fp-ts/lib/function.js'
import { describe, expect, test } from 'vitest'
import { grad } from '../../../autodiff/index.js'
import { type Schedule, scheduled, usualSchedules, wgslOf, wgslTexts } from '../../../backends/webgpu/index.js'
import { f32, i32, max, program, type Scalar, softmax, sum, type Tensor, tokenLogProbs } from '../../../dsl/index.js'
import { law } from '../../law.js'
import { largeSizes } from '../../programs/index.js'
import { agreement } from '../agreement.js'
import { agreeing, ids, load, planned, some } from '../opened.js'
import { kind, openedForAll } from './opened.js'

/** Rows as graphics hardware shares them, forced upon a device that is none, by few invocations, so that short rows have several turns. */
const ofRows = (rowLanes: number): Schedule => ({ tiling: { tile: { outer: 2, inner: 2 } }, rowLanes })

const few = openedForAll({ schedules: { software: ofRows(4), hardware: ofRows(4) } })
const usual = openedForAll({ schedules: { software: ofRows(64), hardware: ofRows(64) } })

/** The software adapter from npm takes seconds to compile a barrier. */
const runs = kind === 'webgpu' ? 60 : 4

law(
  'workgroups that share rows agree with the reference within the computed bound',
  agreement(() => [few()]),
  { runs },
)

law(
  'so they do at larger sizes',
  agreement(() => [usual()], largeSizes),
  { runs: Math.ceil(runs / 6) },
)

const inputs = { x: f32('row', 'vocab'), tokens: i32('row') }

const rows = program({
  inputs,
  body: ({ x, tokens }) => {
    const said = (y: Tensor<'row' | 'vocab'>): Tensor<'row'> => pipe(y, tokenLogProbs('vocab')(tokens))
    return {
      outputs: {
        ...{ said: said(x), most: pipe(x, max('vocab')), softmax: pipe(x, softmax('vocab')) },
        grad: grad((y: typeof x): Scalar => pipe(said(y), sum('row')))(x),
      },
    }
  },
})

describe('rows that a workgroup shares', () => {
  test.each([1, 5, 63, 64, 65, 968, 50_257])('of %i elements', async (vocab) => {
    await agreeing(rows, await load(usual(), rows), { x: some(3, vocab), tokens: ids(vocab, 3) })
  })
})

test('what 64 invocations have of a row is joined by subgroups where there are any, of floats what is added', () => {
  const { plan } = scheduled(planned(rows), usualSchedules.hardware)
  const text = plan.kernels.map((_, i) => wgslOf(plan, i, { subgroups: true })).join('\n')
  expect(text).toContain('enable subgroups;')
  expect(text).toMatch(/acc_1 = subgroupAdd\(acc_1\);/)
  expect(text).not.toContain('subgroupMax')
})

test('else in memory of the workgroup', () => {
  const text = wgslTexts(scheduled(planned(rows), usualSchedules.hardware)).join('\n')
  expect(text).not.toContain('subgroup')
  expect(text).toContain('@workgroup_size(64)')
  expect(text).toMatch(/var<workgroup> b\d+: array<f32, 64>;/)
  expect(text).toContain('workgroupBarrier();')
})
