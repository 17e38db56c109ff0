import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawToken } from '../../training/index.js'
import { law } from '../law.js'

const anyLogits = fc.array(fc.double({ min: -20, max: 20, noNaN: true }), { minLength: 1, maxLength: 8 })
const probability = (logits: readonly number[], id: number, temperature: number): number =>
  1 / logits.reduce((sum, x) => sum + Math.exp((x - logits[id]!) / temperature), 0)

law(
  'a token has the log-probabilities of softmax(logits) and of softmax(logits / temperature)',
  fc.property(
    anyLogits,
    fc.double({ min: 0.1, max: 4, noNaN: true }),
    fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    (logits, temperature, u) => {
      const { id, logProb, samplingLogProb } = drawToken(logits, temperature, u)
      expect(logProb).toBeCloseTo(Math.log(probability(logits, id, 1)), 9)
      expect(samplingLogProb).toBeCloseTo(Math.log(probability(logits, id, temperature)), 9)
    },
  ),
)

law(
  'u lies between the cumulative probabilities before and after the token',
  fc.property(anyLogits, fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), (logits, u) => {
    const { id } = drawToken(logits, 1, u)
    const before = logits.slice(0, id).reduce((sum, _, i) => sum + probability(logits, i, 1), 0)
    return before <= u + 1e-12 && u < before + probability(logits, id, 1) + 1e-12
  }),
)

law(
  'shifting all logits changes no draw',
  fc.property(anyLogits, fc.integer({ min: 0, max: 1023 }), (logits, place) => {
    const whole = logits.map(Math.round)
    const u = place / 1024
    expect(drawToken(whole, 1, u)).toEqual(
      drawToken(
        whole.map((x) => x + 64),
        1,
        u,
      ),
    )
  }),
)

test('temperature 0 takes the most likely token, the first at a tie, and is certain of it; the policy is not', () => {
  const drawn = drawToken([1, 3, 3, 2], 0, 0.99)
  expect(drawn).toMatchObject({ id: 1, samplingLogProb: 0 })
  expect(drawn.logProb).toBeCloseTo(Math.log(probability([1, 3, 3, 2], 1, 1)), 12)
})

test('a token without probability is never drawn', () => {
  const ids = Array.from({ length: 100 }, (_, i) => drawToken([-Infinity, 0, -Infinity, 0, -Infinity], 1, i / 100).id)
  expect(new Set(ids)).toEqual(new Set([1, 3]))
})
