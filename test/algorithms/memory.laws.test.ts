import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { answerProbability, memoryRewards } from '../../algorithms/index.js'
import { evaluate } from '../../backends/cpu/evaluate.js'
import { bool, f32, program } from '../../dsl/index.js'
import { law } from '../law.js'

const probes = f32('batch', 'turn', 'answer')

const both = program({
  inputs: { givenMemory: probes, givenHistory: probes, answerMask: bool('batch', 'answer') },
  body: ({ givenMemory, givenHistory, answerMask }) => ({
    outputs: {
      geometric: pipe(givenMemory, answerProbability(answerMask)),
      arithmetic: pipe(givenMemory, answerProbability(answerMask, 'arithmetic')),
      alone: memoryRewards('arithmetic')({ givenMemory, answerMask }),
      compared: memoryRewards()({ givenMemory, givenHistory, answerMask }),
    },
  }),
})

const sizes = [1, 2, 3]

const anyLogProbs = fc.array(fc.double({ min: -20, max: 0, noNaN: true }), { minLength: 6, maxLength: 6 })
const anyMask = fc.array(fc.boolean(), { minLength: 3, maxLength: 3 })
const anyJunk = fc.constantFrom(NaN, Infinity, -Infinity, 1e30)

/** What the program makes, with junk where the mask has no token. */
const run = (memory: readonly number[], history: readonly number[], mask: readonly boolean[], junk: number) => {
  const soiled = (data: readonly number[]) => ({ sizes, data: data.map((x, i) => (mask[i % 3] === true ? x : junk)) })
  const made = evaluate(both, {
    givenMemory: soiled(memory),
    givenHistory: soiled(history),
    answerMask: { sizes: [1, 3], data: mask.map(Number) },
  })
  if (E.isLeft(made)) throw new Error(JSON.stringify(made.left))
  return made.right.outputs
}

describe('what a memory is worth', () => {
  law(
    'is made of the answer alone: the arithmetic mean of its probabilities is their mean, and the geometric one no greater',
    fc.property(anyLogProbs, anyLogProbs, anyMask, anyJunk, (memory, history, mask, junk) => {
      const { geometric, arithmetic, alone } = run(memory, history, mask, junk)
      const count = mask.filter((isThere) => isThere).length
      const expected = [0, 1].map(
        (turn) => mask.reduce((sum, isThere, i) => sum + (isThere ? Math.exp(memory[3 * turn + i]!) : 0), 0) / Math.max(count, 1),
      )
      expected.forEach((p, turn) => {
        expect(arithmetic.data[turn]).toBeCloseTo(p, 12)
        expect(geometric.data[turn]!).toBeLessThanOrEqual(count === 0 ? 1 : p * (1 + 1e-12))
      })
      expect(alone.data).toEqual(arithmetic.data)
    }),
  )

  law(
    'is 0 where the memory says as much as the history, and changes its sign when they change places',
    fc.property(anyLogProbs, anyLogProbs, anyMask, anyJunk, (memory, history, mask, junk) => {
      const compared = (one: readonly number[], other: readonly number[]) => [...run(one, other, mask, junk).compared.data]
      expect(compared(memory, memory)).toEqual([0, 0])
      expect(compared(memory, history).map((x, i) => x + compared(history, memory)[i]!)).toEqual([0, 0])
    }),
  )
})
