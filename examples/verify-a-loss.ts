/*
 * A loss of one's own, verified: REINFORCE on old answers, each token weighted by how much likelier it has become. The weight is data; whoever
 * forgets to stop it has another gradient, and no difference of values can tell, for it is a right gradient of another loss. So it is said
 * which inputs a gradient is to reach, and how.
 *
 *   npx tsx examples/verify-a-loss.ts
 */
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { evaluate } from 'axgrad/backends/cpu'
import {
  bool,
  clip,
  defineLoss,
  exp,
  f32,
  type GivenFor,
  lossProgram,
  maskedMean,
  mul,
  neg,
  stopGradient,
  sub,
  type Tensor,
  where,
} from 'axgrad/dsl'
import { axisSizes, checkGradient, type CheckOptions, inOneOf, logProbs, masks, numbers, renderReport, tensors, ties } from 'axgrad/verify'

type Tokens = Tensor<'batch' | 'time'>

const inputs = {
  logProbs: f32('batch', 'time'),
  oldLogProbs: f32('batch', 'time'),
  advantages: f32('batch'),
  responseMask: bool('batch', 'time'),
}

/**
 *   L = −mean over response tokens of [ min(π/π_old, 2)·A·log π ]
 *
 * with of the weight what `held` makes of it.
 */
const weighted = (name: string, held: (weight: Tokens) => Tokens) =>
  defineLoss({
    name,
    inputs,
    loss: ({ responseMask, ...given }) => {
      const [now, old] = [pipe(given.logProbs, where(responseMask)), pipe(stopGradient(given.oldLogProbs), where(responseMask))]
      const weight = held(pipe(exp(sub(now, old)), clip(0, 2)))
      return pipe(mul(mul(weight, stopGradient(given.advantages)), now), maskedMean(responseMask, 'batch', 'time'), neg)
    },
  })

const right = weighted('weighted', stopGradient)
const forgotten = weighted('weighted, unstopped', (weight) => weight)

// ── The gradient: what inputs look like, and where it is to flow ──

const options: CheckOptions = {
  runs: 50,
  ranges: { logProbs, oldLogProbs: logProbs, advantages: inOneOf(numbers(-3, 3), ties(-1, 1)) },
  gradients: { logProbs: 'partly' },
}

for (const loss of [right, forgotten]) console.log(`${renderReport(checkGradient(loss, options))}\n`)

// ── A law of one's own: what the mask hides changes nothing ──

const batches = fc.tuple(axisSizes, axisSizes).chain(([batch, time]) =>
  fc.record({
    logProbs: tensors(logProbs)([batch, time]),
    oldLogProbs: tensors(logProbs)([batch, time]),
    advantages: tensors(numbers(-3, 3))([batch]),
    responseMask: tensors(masks)([batch, time]),
  }),
)

const program = lossProgram(right)

const lossOf = (batch: GivenFor<typeof inputs>): number => {
  const made = evaluate(program, batch)
  if (E.isLeft(made)) throw new Error(made.left.map(({ tag }) => tag).join())
  return made.right.outputs.loss.data[0]!
}

fc.assert(
  fc.property(batches, (batch) => {
    const hidden = Array.from(batch.logProbs.data, (x, i) => (batch.responseMask.data[i] === 1 ? x : NaN))
    return lossOf({ ...batch, logProbs: { ...batch.logProbs, data: hidden } }) === lossOf(batch)
  }),
  { seed: 1, numRuns: 200 },
)
console.log('holds   what the mask hides changes nothing')
