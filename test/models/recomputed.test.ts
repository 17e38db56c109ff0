import { expect, test } from 'vitest'
import { valueAndGrad } from '../../autodiff/index.js'
import { interpret, liveBytes, plan } from '../../compiler/index.js'
import { type GivenFor, type Program, program, random, type Scalar } from '../../dsl/index.js'
import { type DecoderConfig, decoderSpecs, initialParameters, logits } from '../../models/index.js'
import { nextTokens, sequenceSpecs, supervisedLoss } from '../../training/index.js'
import { right } from '../right.js'

const config: DecoderConfig = { vocab: 12, embed: 8, layers: 12, heads: 2, headDim: 4, ffn: 16 }

const gradient = (c: DecoderConfig) => {
  const loss = supervisedLoss(logits(c))
  const parameters = decoderSpecs(c)
  return program({
    inputs: { params: parameters, batch: sequenceSpecs },
    body: ({ params, batch }) => {
      const { value, grad } = valueAndGrad((p: typeof params) => loss(p, batch))(params)
      return { outputs: { loss: value, grad } }
    },
  }) as unknown as Program<unknown, unknown, { readonly loss: Scalar }>
}

const kept = right(plan(gradient(config)))
const recomputed = right(plan(gradient({ ...config, recomputesLayers: true })))

test('twelve layers that are computed again keep less than 45 % of what is made', () => {
  const bound = new Map([
    ['batch', 16],
    ['time', 64],
  ])
  const bytes = [recomputed, kept].map((made) => {
    const given = new Set(made.buffers.flatMap(({ role }, i) => (role.tag === 'given' ? [i] : [])))
    return liveBytes(made, bound, given)
  })
  expect(bytes[0]! / bytes[1]!).toBeLessThan(0.45)
})

test('they give the same loss and gradient, bit for bit', () => {
  const sequences = [0, 1].map((row) => ({ prompt: [1, 2 + row], answer: [3, 4, 5 + row] }))
  const given = { params: initialParameters(config, random.key(1)), batch: nextTokens(sequences, 0) } as unknown as GivenFor<unknown>
  const [a, b] = [kept, recomputed].map((made) => right(interpret(made)(given)).outputs)
  expect(a).toEqual(b)
})
