import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Device } from '../../backends/backend.js'
import { evaluate } from '../../backends/cpu/evaluate.js'
import { plan } from '../../compiler/index.js'
import { f32, i32, nested, program, random } from '../../dsl/index.js'
import { draw, type Drawing } from '../../training/index.js'
import { openedForAll } from '../backends/webgpu/opened.js'
import { law } from '../law.js'
import { right } from '../right.js'
import { plainDraw, plainProbabilities } from './plain-sampling.js'
import { onCpu } from './tiny.js'

const chance = { uniform: f32('batch'), temperature: f32(), topK: i32(), topP: f32() }

const drawing = (kind: Drawing) =>
  program({
    inputs: { logits: f32('batch', 'vocab'), chance },
    body: (given) => ({ outputs: draw(kind)(given.chance)(given.logits) }),
  })

const programs = { greedy: drawing('greedy'), whole: drawing('whole'), part: drawing('part') }

interface Settings {
  readonly temperature: number
  readonly topK?: number
  readonly topP?: number
}

const chanceOf = (uniform: readonly number[], { temperature, topK = 2 ** 20, topP = 1 }: Settings) => ({
  uniform: nested(uniform),
  temperature,
  topK,
  topP,
})

const onReference = (kind: Drawing, logits: readonly number[], u: number, settings: Settings) => {
  const given = { logits: nested([logits]), chance: chanceOf([u], settings) }
  const { ids, logProbs, samplingLogProbs } = right(evaluate(programs[kind], given)).outputs
  return { id: ids.data[0]!, logProb: logProbs.data[0]!, samplingLogProb: samplingLogProbs.data[0]! }
}

const drawOn = async (
  device: Device,
  kind: Drawing,
  rows: readonly (readonly number[])[],
  uniform: readonly number[],
  settings: Settings,
) => {
  const loaded = right(await device.load(right(plan(programs[kind])))())
  return right(await loaded.run({ logits: nested(rows), chance: chanceOf(uniform, settings) })())
}

/** Multiples of 1/64, which are apart from each other in float32 too, or equal. */
const anyLogits = fc.array(
  fc.integer({ min: -512, max: 512 }).map((n) => n / 64),
  { minLength: 1, maxLength: 9 },
)
const anyUniform = fc.integer({ min: 0, max: 2 ** 24 - 1 }).map((n) => n * 2 ** -24)
const anyTemperature = fc.integer({ min: 1, max: 40 }).map((n) => n / 10)
const anyPart = fc.record({ temperature: anyTemperature, topK: fc.integer({ min: 1, max: 10 }), topP: fc.integer({ min: 1, max: 16 }).map((n) => n / 16) }) // prettier-ignore

/** Whether u, or the p of top-p, is so near the edge of a token that rounding says which it is. */
const isAtAnEdge = (logits: readonly number[], u: number, settings: Settings): boolean => {
  const { temperature, topK = logits.length, topP = 1 } = settings
  const sums = (from: readonly number[]): readonly number[] => from.map((_, i) => from.slice(0, i + 1).reduce((sum, p) => sum + p, 0))
  const descending = plainProbabilities(logits, { temperature, topK }).toSorted((a, b) => b - a)
  const isNear = (x: number) => (y: number) => Math.abs(x - y) < 1e-5
  return sums(plainProbabilities(logits, settings)).some(isNear(u)) || (topP < 1 && sums(descending).some(isNear(topP)))
}

law(
  'a token of the whole distribution is the one at u, with its log-probabilities at temperature 1 and at its own',
  fc.property(anyLogits, anyUniform, anyTemperature, (logits, u, temperature) => {
    fc.pre(!isAtAnEdge(logits, u, { temperature }))
    const [made, expected] = [onReference('whole', logits, u, { temperature }), plainDraw(logits, u, { temperature })]
    expect(made.id).toBe(expected.id)
    expect(made.logProb).toBeCloseTo(expected.logProb, 6)
    expect(made.samplingLogProb).toBeCloseTo(expected.samplingLogProb, 6)
  }),
)

law(
  'a token of a part is of the k most likely, and of the most likely of these that have p together; equal ones are in it or not together',
  fc.property(anyLogits, anyUniform, anyPart, (logits, u, settings) => {
    fc.pre(!isAtAnEdge(logits, u, settings))
    const [made, expected] = [onReference('part', logits, u, settings), plainDraw(logits, u, settings)]
    expect(made.id).toBe(expected.id)
    expect(made.logProb).toBeCloseTo(expected.logProb, 6)
    expect(made.samplingLogProb).toBeCloseTo(expected.samplingLogProb, 6)
  }),
)

test('the greedy token is the most likely one, the first at a tie, and certain; the policy is not certain of it', () => {
  const made = onReference('greedy', [1, 3, 3, 2], 0.99, { temperature: 0 })
  expect(made).toMatchObject({ id: 1, samplingLogProb: 0 })
  expect(made.logProb).toBeCloseTo(plainDraw([1, 3, 3, 2], 0.3, { temperature: 1 }).logProb, 12)
})

test('a token without probability is never drawn, at the ends of [0, 1) neither', () => {
  const logits = [-Infinity, 0, -Infinity, 0, -Infinity]
  const at = (kind: Drawing, u: number): number => onReference(kind, logits, u, { temperature: 1 }).id
  for (const kind of ['whole', 'part'] as const) expect([0, 0.25, 0.75, 1 - 2 ** -24].map((u) => at(kind, u))).toEqual([1, 1, 3, 3])
})

test('where a logit is NaN the token is one of the vocabulary, and its log-probabilities are NaN', () => {
  for (const kind of ['greedy', 'whole', 'part'] as const) {
    const { id, logProb } = onReference(kind, [0, NaN, 1], 0.5, { temperature: 1 })
    expect([0, 1, 2]).toContain(id)
    expect(logProb).toBeNaN()
  }
})

const logits = [1.5, -0.5, 0, 3, 2, -2, 1, 2.5]
const many = 20_000

/** χ² at which one of a thousand right samples would be refused, by the degrees of freedom. */
const critical: Readonly<Record<number, number>> = { 2: 13.816, 7: 24.322 }

test.each<[Drawing, Settings, number]>([
  ['whole', { temperature: 1 }, 8],
  ['whole', { temperature: 0.5 }, 8],
  ['whole', { temperature: 2 }, 8],
  ['part', { temperature: 1, topK: 3 }, 3],
  ['part', { temperature: 1, topP: 0.75 }, 3],
])('tokens come as often as they should: %s, %o', (kind, settings, kept) =>
  onCpu(async (device) => {
    const uniform = Array.from({ length: many }, (_, i) => random.uniform(random.key(11), i))
    const { ids } = await drawOn(device, kind, uniform.map(() => logits), uniform, settings) // prettier-ignore
    const expected = plainProbabilities(logits, settings).map((p) => many * p)
    const seen = expected.map((_, id) => [...ids.data].filter((other) => other === id).length)
    expect(expected.filter((count) => count > 0)).toHaveLength(kept)
    expect(seen.filter((count, id) => expected[id] === 0 && count > 0)).toEqual([])
    const chiSquare = expected.reduce((sum, count, id) => sum + (count === 0 ? 0 : (seen[id]! - count) ** 2 / count), 0)
    expect(chiSquare).toBeLessThan(critical[kept - 1]!)
  }),
)

const software = openedForAll()

test.each<[Drawing, Settings]>([
  ['greedy', { temperature: 0 }],
  ['whole', { temperature: 0.7 }],
  ['part', { temperature: 1.3, topK: 20, topP: 0.8 }],
])('the CPU and a software adapter draw what the reference draws: %s, %o', (kind, settings) =>
  onCpu(async (device) => {
    const rows = Array.from({ length: 6 }, (_, row) => Array.from({ length: 67 }, (_, i) => 2 * random.normal(random.key(row), i)))
    const uniform = rows.map((_, row) => random.uniform(random.key(5), row))
    const expected = rows.map((row, i) => plainDraw(row, uniform[i]!, settings))
    for (const each of [device, software()]) {
      const { ids, logProbs, samplingLogProbs } = await drawOn(each, kind, rows, uniform, settings)
      expect([...ids.data]).toEqual(expected.map(({ id }) => id))
      logProbs.data.forEach((x, i) => expect(x).toBeCloseTo(expected[i]!.logProb, 4))
      samplingLogProbs.data.forEach((x, i) => expect(x).toBeCloseTo(expected[i]!.samplingLogProb, 4))
    }
  }),
)
