import { expect, test } from 'vitest'
import { evaluate } from '../../backends/cpu/evaluate.js'
import { f32, nested, program, type Value } from '../../dsl/index.js'
import { adamW, type AdamWSettings } from '../../training/index.js'
import { right } from '../right.js'

const specs = { w: f32({ i: 2, j: 2 }), layers: [{ b: f32({ i: 2 }) }] } as const

const updating = (settings: AdamWSettings) =>
  program({
    inputs: { grads: specs, learningRate: f32(), step: f32() },
    state: { params: specs, moments: { mean: specs, square: specs } },
    body: (given, state) => ({ outputs: {}, state: adamW(settings)(state, given) }),
  })

const tree = (w: number[], b: number[]) => ({ w: nested([w.slice(0, 2), w.slice(2)]), layers: [{ b: nested(b) }] }) as const

const start = [1, -2, 3, 0.5, -1, 0.25]
const gradAt = (step: number): number[] => start.map((x, i) => Math.sin(3 * i + step) * x)
const rateAt = (step: number): number => 0.1 / step

/** PyTorch's loop, in plain numbers. */
const plainAdamW = ({ beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, weightDecay = 0 }: AdamWSettings, steps: number): number[] => {
  const p = [...start]
  const m = p.map(() => 0)
  const v = p.map(() => 0)
  for (let step = 1; step <= steps; step++) {
    const g = gradAt(step)
    for (let i = 0; i < p.length; i++) {
      p[i] = p[i]! * (1 - rateAt(step) * weightDecay)
      m[i] = beta1 * m[i]! + (1 - beta1) * g[i]!
      v[i] = beta2 * v[i]! + (1 - beta2) * g[i]! ** 2
      p[i] = p[i]! - (rateAt(step) * (m[i]! / (1 - beta1 ** step))) / (Math.sqrt(v[i]! / (1 - beta2 ** step)) + epsilon)
    }
  }
  return p
}

const run = (settings: AdamWSettings, steps: number): number[] => {
  const zeros = tree([0, 0, 0, 0], [0, 0])
  let state: Parameters<typeof flatState>[0] = { params: tree(start.slice(0, 4), start.slice(4)), moments: { mean: zeros, square: zeros } }
  for (let step = 1; step <= steps; step++) {
    const g = gradAt(step)
    const given = { grads: tree(g.slice(0, 4), g.slice(4)), learningRate: rateAt(step), step }
    state = right(evaluate(updating(settings), given, state)).state
  }
  return flatState(state)
}

interface Held {
  readonly w: Value
  readonly layers: readonly [{ readonly b: Value }]
}

const flatState = ({ params }: { readonly params: Held; readonly moments: { readonly mean: Held; readonly square: Held } }): number[] => [
  ...params.w.data,
  ...params.layers[0].b.data,
]

test.each<AdamWSettings>([{}, { beta1: 0.8, beta2: 0.95, epsilon: 1e-3, weightDecay: 0.1 }])(
  'five updates with %o are those of a plain loop',
  (settings) => {
    const expected = plainAdamW(settings, 5)
    run(settings, 5).forEach((x, i) => expect(x).toBeCloseTo(expected[i]!, 12))
  },
)

test('the first update of each element is the learning rate, whatever the size of its gradient', () => {
  run({ epsilon: 0 }, 1).forEach((x, i) => expect(Math.abs(x - start[i]!)).toBeCloseTo(rateAt(1), 12))
})
