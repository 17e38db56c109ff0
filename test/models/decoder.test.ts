import { pipe } from 'fp-ts/lib/function.js'
import { expect, test } from 'vitest'
import { grad } from '../../autodiff/index.js'
import { evaluate } from '../../backends/cpu/evaluate.js'
import { i32, leaves, mapTree, nested, program, random, sum, tokenLogProbs, type Value } from '../../dsl/index.js'
import { type DecoderConfig, type DecoderParameters, decoderSpecs, initialParameters, logits } from '../../models/index.js'
import { isValue } from '../is-value.js'
import { right } from '../right.js'
import { plainLogits } from './plain-decoder.js'

const config: DecoderConfig = {
  vocab: 7,
  embed: 6,
  layers: 2,
  heads: 4,
  keyHeads: 2,
  headDim: 4,
  ffn: 5,
  rotaryBase: 100,
  isTied: false,
  hasBias: true,
  hasHeadNorm: true,
}
const params = decoderSpecs(config)
const rows = [
  [3, 1, 4, 1, 5],
  [2, 6, 0, 6, 2],
]

/** Random scales and biases, too: at 1 and 0 one that is left out goes unseen. */
const weightsOf = (of: DecoderConfig) =>
  mapTree(isValue)(({ sizes, data }) => ({
    sizes,
    data: Float64Array.from(data, (x, i) => x + 0.1 * random.normal(random.key(9), i)),
  }))(initialParameters(of, random.key(1))) as ReturnType<typeof initialParameters>

const forward = (of: DecoderConfig) =>
  program({
    inputs: { params: decoderSpecs(of), ids: i32('batch', 'time') },
    body: (given) => ({
      outputs: { all: logits(of)(given.params, given.ids) },
    }),
  })

const weights = weightsOf(config)
const whole = forward(config)

const logitsOf = (ids: readonly (readonly number[])[]) => right(evaluate(whole, { params: weights, ids: nested(ids) })).outputs

const { keyHeads: _keyHeads, isTied: _isTied, hasBias: _hasBias, hasHeadNorm: _hasHeadNorm, ...plainest } = config

test.each([
  ['nothing but sizes', plainest],
  ['shared key heads', { ...plainest, keyHeads: 2 }],
  ['one key head', { ...plainest, keyHeads: 1 }],
  ['an output matrix of its own', { ...plainest, isTied: false }],
  ['biases', { ...plainest, hasBias: true }],
  ['norms of heads', { ...plainest, hasHeadNorm: true }],
  ['all of it', config],
])('the logits are those of the formulas written out: %s', (_what, of) => {
  const own = weightsOf(of)
  const { all } = right(evaluate(forward(of), { params: own, ids: nested(rows) })).outputs
  const expected = rows.flatMap((row) => plainLogits(of, own, row).flat())
  expect(all.axes).toEqual(['batch', 'time', 'vocab'])
  expect(all.sizes).toEqual([2, 5, 7])
  all.data.forEach((x, i) => expect(x).toBeCloseTo(expected[i]!, 5))
})

test('a later token changes no earlier logit', () => {
  const before = logitsOf(rows).all.data
  const after = logitsOf(rows.map((row) => row.with(3, 0))).all.data
  const changed = [...before].map((x, i) => x !== after[i])
  const timeOf = (i: number): number => Math.floor(i / 7) % 5
  expect(changed.map((_, i) => i).filter((i) => timeOf(i) < 3 && changed[i])).toEqual([])
  expect(changed.some((change, i) => change && timeOf(i) === 3)).toBe(true)
  expect(changed.some((change, i) => change && timeOf(i) === 4)).toBe(true)
})

test('the order of earlier tokens matters', () => {
  const [last, swapped] = [
    [1, 2, 3, 4],
    [2, 1, 3, 4],
  ].map((row) => logitsOf([row]).all.data.slice(3 * 7))
  expect(last).not.toEqual(swapped)
})

test('the gradient is the slope of the loss along each weight', () => {
  const loss = (p: DecoderParameters, ids: Parameters<ReturnType<typeof logits>>[1]) =>
    pipe(logits(config)(p, ids), tokenLogProbs('vocab')(ids), sum('batch', 'time'))
  const value = program({
    inputs: { params, ids: i32('batch', 'time') },
    body: (given) => ({ outputs: { loss: loss(given.params, given.ids) } }),
  })
  const slope = program({
    inputs: { params, ids: i32('batch', 'time') },
    body: (given) => ({ outputs: grad((p: DecoderParameters) => loss(p, given.ids))(given.params) }),
  })
  const ids = nested(rows)
  const lossAt = (p: typeof weights): number => right(evaluate(value, { params: p, ids })).outputs.loss.data[0]!
  const slopes = leaves(isValue)(right(evaluate(slope, { params: weights, ids })).outputs)
  const step = 1e-5
  for (const { path, value: slopeOf } of slopes) {
    const place = slopeOf.data.length >> 1
    const moved = (by: number) =>
      mapTree(isValue)((leaf, at) => (at === path ? { ...leaf, data: [...leaf.data].with(place, leaf.data[place]! + by) } : leaf))(
        weights,
      ) as typeof weights
    const expected = (lossAt(moved(step)) - lossAt(moved(-step))) / (2 * step)
    expect(slopeOf.data[place], path).toBeCloseTo(expected, 5)
  }
})

test('parameters start with unit scales and weights of a variance by what they sum, the same for one key', () => {
  const large = { ...config, embed: 64, ffn: 32 }
  const initial = initialParameters(large, random.key(3))
  const variance = ({ data }: Value): number => [...data].reduce((square, x) => square + x * x, 0) / data.length
  expect([...initial.norm.data].every((x) => x === 1)).toBe(true)
  expect((64 / 12) * variance(initial.embedding)).toBeCloseTo(1, 0)
  expect(3 * 64 * variance(initial.layers[0]!.up)).toBeCloseTo(1, 0)
  expect(3 * 32 * variance(initial.layers[0]!.down)).toBeCloseTo(1, 0)
  expect(initial).toEqual(initialParameters(large, random.key(3)))
  expect(initial.layers[0]!.up.data).not.toEqual(initial.layers[1]!.up.data)
})
