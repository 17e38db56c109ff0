import { pipe } from 'fp-ts/lib/function.js'
import { afterAll, expect, test } from 'vitest'
import { grad } from '../../../autodiff/index.js'
import { openCpu } from '../../../backends/cpu/index.js'
import { plan } from '../../../compiler/index.js'
import { f32, i32, program, type Scalar, sum, type Tensor, tokenLogProbs } from '../../../dsl/index.js'
import { right } from '../../right.js'

const device = openCpu()
afterAll(() => device.release())

type Logits = Tensor<'row' | 'vocab'>

const chosen = program({
  inputs: { logits: f32('row', 'vocab'), ids: i32('row') },
  body: ({ logits, ids }) => {
    const logProbs = (x: Logits): Tensor<'row'> => pipe(x, tokenLogProbs('vocab')(ids))
    const total = (x: Logits): Scalar => pipe(logProbs(x), sum('row'))
    return { outputs: { logProbs: logProbs(logits), grad: grad(total)(logits) } }
  },
})

/** A sum of n numbers of one sign, each rounded, added one after the other, is off by this fraction of itself at most; and 32 roundings more. */
const bound = (n: number): number => (n + 32) * 2 ** -24

test.each([1, 968, 50_257, 151_936])('log-probabilities and gradient of a row of %i logits', async (n) => {
  const x = Float32Array.from({ length: n }, (_, i) => 8 * Math.sin(i))
  const id = n - 1
  const greatest = x.reduce((a, b) => Math.max(a, b))
  const total = x.reduce((sum, y) => sum + Math.exp(y - greatest), 0)

  const loaded = right(await device.load(right(plan(chosen)))())
  const { logProbs, grad } = right(await loaded.run({ logits: { sizes: [1, n], data: x }, ids: { sizes: [1], data: [id] } })())
  const expected = x[id]! - greatest - Math.log(total)
  expect(Math.abs(logProbs.data[0]! - expected)).toBeLessThanOrEqual(bound(n) * (1 + Math.abs(expected)))
  const wrong = Array.from(x).filter((y, i) => {
    const p = Math.exp(y - greatest) / total
    const slope = i === id ? 1 - p : -p
    return !(Math.abs(grad.data[i]! - slope) <= bound(n) * p + (i === id ? 2 ** -23 : 0))
  })
  expect(wrong).toEqual([])
})
