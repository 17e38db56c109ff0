import { pipe } from 'fp-ts/lib/function.js'
import { describe, expect, test } from 'vitest'
import {
  add,
  bool,
  checkpoint,
  custom,
  defineLoss,
  equal,
  f32,
  i32,
  logSoftmax,
  lossProgram,
  mul,
  rename,
  softmax,
  stopGradient,
  sum,
  type Tensor,
  toF32,
  where,
} from '../../dsl/index.js'
import { gradientFlow, renderFlow } from '../../verify/index.js'
import { surrogate } from './losses.js'

type Line = Tensor<'time'>

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
      [true, 40],
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

  test('says where other paths of a gradient are stopped, but not what the language stops because it cancels', () => {
    const flow = gradientFlow(
      lossProgram(
        defineLoss({
          name: 'weighted entropy',
          inputs: { logits: f32('vocab') },
          loss: ({ logits }) => pipe(mul(stopGradient(softmax('vocab')(logits)), logSoftmax('vocab')(logits)), sum('vocab')),
        }),
      ),
    )

    expect(renderFlow(flow).replace(/\.ts:\d+:\d+/g, '.ts:LINE')).toBe(
      '  logits  gradient, on other paths stopped at test/verify/flow.test.ts:LINE',
    )
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

  describe('of functions with a derivative of their own', () => {
    const scaled = (x: Line, by: Line) => custom({ name: 'scaled', forward: (y: Line) => mul(y, by), vjp: (ct) => [mul(ct, by)] })(x)
    const first = custom({ name: 'first', forward: (x: Line, y: Line) => mul(x, y), vjp: (ct, _z, _x, y) => [mul(ct, y), 'none'] })
    const loss = defineLoss({
      name: 'customs',
      inputs: { x: f32('time'), closedOver: f32('time'), y: f32('time'), none: f32('time'), inside: f32('time') },
      loss: ({ x, closedOver, y, none, inside }) => {
        const region = custom({ name: 'region', forward: (z: Line) => mul(z, inside) })
        return pipe(checkpoint(region)(first(mul(y, scaled(x, closedOver)), none)), sum('time'))
      },
    })

    test('names those that a gradient passes, and stops at those that let none through', () => {
      expect(renderFlow(gradientFlow(lossProgram(loss))).replace(/\.ts:\d+:\d+/g, '.ts:LINE')).toMatchInlineSnapshot(`
        "  x           gradient, by custom 'first' at test/verify/flow.test.ts:LINE, by custom 'scaled' at test/verify/flow.test.ts:LINE
          closedOver  stopped at test/verify/flow.test.ts:LINE
          y           gradient, by custom 'first' at test/verify/flow.test.ts:LINE
          none        stopped at test/verify/flow.test.ts:LINE
          inside      gradient"
      `)
    })
  })
})
