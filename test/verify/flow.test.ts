import { pipe } from 'fp-ts/lib/function.js'
import { describe, expect, test } from 'vitest'
import { add, bool, defineLoss, equal, f32, i32, lossProgram, mul, rename, stopGradient, sum, toF32, where } from '../../dsl/index.js'
import { gradientFlow, renderFlow } from '../../verify/index.js'
import { surrogate } from './losses.js'

const everyKind = defineLoss({
  name: 'every kind',
  inputs: {
    free: f32('time'),
    stopped: f32('time'),
    both: f32('time'),
    compared: f32('time'),
    unused: f32('time'),
    ids: i32('time'),
    mask: bool('time'),
  },
  loss: ({ free, stopped, both, compared, ids, mask }) => {
    const weight = stopGradient(mul(stopped, both))
    const hit = toF32(equal(compared, toF32(ids)))
    return pipe(mul(add(free, both), mul(weight, hit)), where(mask), sum('time'))
  },
})

describe('the table of gradients', () => {
  test('says of each input whether a gradient reaches it, or why not', () => {
    expect(gradientFlow(lossProgram(everyKind)).map((flow) => [flow.input, flow.tag, 'because' in flow ? flow.because : ''])).toEqual([
      ['free', 'gradient', ''],
      ['stopped', 'stopped', ''],
      ['both', 'gradient', ''],
      ['compared', 'data', 'noDerivative'],
      ['unused', 'data', 'unused'],
      ['ids', 'data', 'type'],
      ['mask', 'data', 'type'],
    ])
  })

  test('points to the line that stops', () => {
    const stopped = gradientFlow(lossProgram(everyKind)).find(({ tag }) => tag === 'stopped')

    expect(stopped?.tag === 'stopped' && stopped.at.map(({ file, line }) => [file.endsWith('test/verify/flow.test.ts'), line])).toEqual([
      [true, 19],
    ])
  })

  test('reads', () => {
    expect(renderFlow(gradientFlow(lossProgram(surrogate)))).toMatchInlineSnapshot(`
      "  logProbs      gradient
        oldLogProbs   stopped at test/verify/losses.ts:32:64
        advantages    gradient
        responseMask  data (no float)"
    `)
  })

  test('a stop behind another stop is not named', () => {
    const twice = defineLoss({
      name: 'twice',
      inputs: { x: f32('time') },
      loss: ({ x }) => pipe(x, stopGradient, rename({ time: 'key' }), stopGradient, sum('key')),
    })
    const [flow] = gradientFlow(lossProgram(twice))

    expect(flow?.tag === 'stopped' && flow.at.length).toBe(1)
  })
})
