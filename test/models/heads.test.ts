import { expect, test } from 'vitest'
import { evaluate } from '../../backends/cpu/evaluate.js'
import { grad } from '../../autodiff/index.js'
import { i32, leaves, nested, program, random, sum } from '../../dsl/index.js'
import {
  type DecoderConfig,
  initialParameters,
  type JudgeParameters,
  judgeSpecs,
  newJudge,
  positionValues,
  sequenceScores,
} from '../../models/index.js'
import { isValue } from '../is-value.js'
import { right } from '../right.js'
import { plainLogits } from './plain-decoder.js'

const config: DecoderConfig = { vocab: 7, embed: 6, layers: 2, heads: 4, keyHeads: 2, headDim: 4, ffn: 5 }
const trunk = initialParameters(config, random.key(3))
const rows = [
  [3, 1, 4, 1, 5],
  [2, 6, 0, 6, 2],
]
const lasts = [4, 2]

const judging = program({
  inputs: { params: judgeSpecs(config), ids: i32('batch', 'time'), lasts: i32('batch') },
  body: ({ params, ids, lasts }) => ({
    outputs: { values: positionValues(config)(params, ids), scores: sequenceScores(config)(params, ids, lasts) },
  }),
})

/** A head that is the row of a token in the embedding: its number is the token's logit. */
const token = 3
const judge = { trunk, head: { sizes: [6], data: trunk.embedding.data.slice(token * 6, token * 6 + 6) } }
const judged = (params: typeof judge, ids = rows) => right(evaluate(judging, { params, ids: nested(ids), lasts: nested(lasts) })).outputs

test('a critic says head · h at each position, h the normalised stream, and a model of rewards at the last token', () => {
  const { values, scores } = judged(judge)
  const expected = rows.map((row) => plainLogits(config, trunk, row).map((logits) => logits[token]!))
  expect(values.axes).toEqual(['batch', 'time'])
  values.data.forEach((x, i) => expect(x).toBeCloseTo(expected.flat()[i]!, 5))
  expect(scores.axes).toEqual(['batch'])
  scores.data.forEach((x, row) => expect(x).toBeCloseTo(expected[row]![lasts[row]!]!, 5))
})

test('padding behind a sequence changes no score', () => {
  const padded = [rows[0]!, rows[1]!.with(3, 0).with(4, 5)]
  expect(judged(judge, padded).scores.data).toEqual(judged(judge).scores.data)
})

test('a new judge says 0 of everything; its head has a gradient, and once it is not 0 the trunk has, too', () => {
  const { values } = judged(newJudge(config, trunk) as typeof judge)
  expect([...values.data].every((x) => x === 0)).toBe(true)
  const slope = program({
    inputs: { params: judgeSpecs(config), ids: i32('batch', 'time') },
    body: ({ params, ids }) => ({ outputs: grad((p: JudgeParameters) => sum('batch', 'time')(positionValues(config)(p, ids)))(params) }),
  })
  const slopes = (params: typeof judge) => leaves(isValue)(right(evaluate(slope, { params, ids: nested(rows) })).outputs)
  const moved = (params: typeof judge): readonly string[] =>
    slopes(params).flatMap(({ path, value }) => ([...value.data].some((x) => x !== 0) ? [path] : []))
  expect(moved(newJudge(config, trunk) as typeof judge)).toEqual(['head'])
  expect(moved(judge)).toEqual(slopes(judge).map(({ path }) => path))
})

test('a judge has no output matrix, whether the policy has one or not', () => {
  const apart = initialParameters({ ...config, isTied: false }, random.key(3))
  expect(Object.keys(newJudge({ ...config, isTied: false }, apart).trunk)).toEqual(
    Object.keys(judgeSpecs({ ...config, isTied: false }).trunk),
  )
})
