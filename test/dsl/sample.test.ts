import { pipe } from 'fp-ts/lib/function.js'
import { describe, expect, test } from 'vitest'
import { evaluate } from '../../backends/cpu/evaluate.js'
import { broadcast, f32, foldKey, program, random, randomCategorical, u32 } from '../../dsl/index.js'
import { right } from '../right.js'

const key = { sizes: [2], data: random.key(1) }

/** n draws from one row of logits. */
const drawn = (logits: readonly number[], n: number): readonly number[] => {
  const p = program({
    inputs: { key: u32({ word: 2 }), logits: f32('vocab') },
    body: ({ key, logits }) => ({ outputs: { ids: pipe(logits, broadcast({ row: n }), randomCategorical('vocab')(key)) } }),
  })
  return Array.from(right(evaluate(p, { key, logits: { sizes: [logits.length], data: logits } })).outputs.ids.data)
}

describe('a categorical draw', () => {
  test('has the probabilities of the softmax', () => {
    const [n, logits] = [4000, [0, 1, -1, 2.5]]
    const weights = logits.map(Math.exp)
    const total = weights.reduce((p, q) => p + q)
    const ids = drawn(logits, n)
    const chiSquare = weights.reduce((sum, weight, k) => {
      const expected = (n * weight) / total
      return sum + (ids.filter((id) => id === k).length - expected) ** 2 / expected
    }, 0)
    expect(chiSquare).toBeLessThan(16.27) // of three degrees of freedom, one in a thousand is above
  })

  test.each([
    ['never takes −∞', [-Infinity, 0, -Infinity, 0], [1, 3]],
    ['takes 0 where all are −∞', [-Infinity, -Infinity], [0]],
    ['takes the first NaN', [0, NaN, 5, NaN], [1]],
    ['takes what is far above the rest', [0, 100, 0], [1]],
  ])('%s', (_, logits, taken) => {
    expect([...new Set(drawn(logits, 200))].toSorted()).toEqual(taken)
  })

  test('has a key for each row where the key has rows', () => {
    const p = program({
      inputs: { key: u32({ word: 2 }), logits: f32('row', 'vocab') },
      body: ({ key, logits }) => {
        const keys = pipe(key, broadcast({ row: 40 }))
        return {
          outputs: {
            same: pipe(logits, randomCategorical('vocab')(keys)),
            folded: pipe(logits, randomCategorical('vocab')(pipe(key, foldKey(5)))),
          },
        }
      },
    })
    const logits = { sizes: [40, 8], data: new Float32Array(320) }
    const { same, folded } = right(evaluate(p, { key, logits })).outputs
    expect(new Set(same.data).size).toBe(1)
    expect(new Set(folded.data).size).toBe(8)
  })
})
