import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { catalogue } from '../../algorithms/index.js'
import { lossProgram } from '../../dsl/index.js'
import { gradientFlow } from '../../verify/index.js'
import { expectRightGradient } from '../dsl/right-gradient.js'
import { allZero } from './batches.js'
import { anyBatchOf, inputsOf, names } from './catalogue.js'
import { lossReader } from './lost.js'

const rangeOf = (path: string): readonly [number, number] | undefined => {
  if (/logProbs$/i.test(path)) return [-3, -0.01]
  return path === 'spanTurn' ? [-1, 0] : undefined
}

describe.each(names)('%s', (name) => {
  const { loss } = catalogue[name]

  test('has the gradient that differences have, to second order', () => {
    const ranges = Object.keys(inputsOf(loss)).flatMap((path) => {
      const range = rangeOf(path)
      return range === undefined ? [] : [[path, range] as const]
    })
    expectRightGradient(loss, { ranges: Object.fromEntries(ranges), runs: 10 })
  })

  test('has a gradient only where its table of gradients says so', () => {
    const [batch] = fc.sample(anyBatchOf(loss), { numRuns: 1, seed: 2 })
    const { grads } = lossReader(loss)(batch!)
    const without = gradientFlow(lossProgram(loss)).filter(({ tag, input }) => tag !== 'gradient' && grads[input] !== undefined)
    expect(without.filter(({ input }) => !allZero(grads[input]!))).toEqual([])
  })
})
