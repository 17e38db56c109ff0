/*
 * One loss or two? MemPO pays a token for the answer that its response reached and for the memory that it wrote. It adds the two advantages and
 * clips once. This page finds what would differ if each advantage had a clipped loss of its own.
 *
 *   npx tsx examples/one-loss-or-two.ts
 */
import * as E from 'fp-ts/lib/Either.js'
import fc from 'fast-check'
import { grpoLoss } from 'axgrad/algorithms'
import { grad } from 'axgrad/autodiff'
import { evaluate } from 'axgrad/backends/cpu'
import { add, bool, f32, nested, program, type Tensor } from 'axgrad/dsl'

/** One token: what the policy thinks of it, and the two advantages that it has. */
interface Token {
  /** π/π_old */
  readonly ratio: number
  readonly outcome: number
  readonly memory: number
}

interface Gradients {
  /** ∂L/∂ log π under the clipped loss of the sum of the advantages. */
  readonly one: number
  /** Under the sum of two losses, each with an advantage and a clip of its own. */
  readonly two: number
}

/** The gradients where the band of the clip is [1 − ε, 1 + ε]. */
const gradientsWithin = (epsilon: number): ((token: Token) => Gradients) => {
  const tokens = f32('batch', 'time')
  const compared = program({
    inputs: { logProbs: tokens, oldLogProbs: tokens, responseMask: bool('batch', 'time'), outcome: f32('batch'), memory: f32('batch') },
    body: ({ logProbs, outcome, memory, ...batch }) => {
      const loss = (advantages: Tensor<'batch'>) => (x: typeof logProbs) =>
        grpoLoss({ clip: { low: epsilon, high: epsilon }, beta: 0 })({ ...batch, logProbs: x, advantages })
      const both = (x: typeof logProbs) => add(loss(outcome)(x), loss(memory)(x))
      return { outputs: { one: grad(loss(add(outcome, memory)))(logProbs), two: grad(both)(logProbs) } }
    },
  })
  return ({ ratio, outcome, memory }) => {
    const made = evaluate(compared, {
      logProbs: nested([[Math.log(ratio)]]),
      oldLogProbs: nested([[0]]),
      responseMask: nested([[true]]),
      outcome: nested([outcome]),
      memory: nested([memory]),
    })
    if (E.isLeft(made)) throw new Error(JSON.stringify(made.left))
    const { one, two } = made.right.outputs
    return { one: one.data[0]!, two: two.data[0]! }
  }
}

const epsilon = 0.2
const clipped = gradientsWithin(epsilon)
const unclipped = gradientsWithin(1e9)

const hundredths = (least: number, most: number) => fc.integer({ min: least * 100, max: most * 100 }).map((n) => n / 100)
const anyToken: fc.Arbitrary<Token> = fc.record({ ratio: hundredths(0.5, 1.5), outcome: hundredths(-2, 2), memory: hundredths(-2, 2) })
const near = (x: number, y: number): boolean => Math.abs(x - y) <= 1e-12 * (1 + Math.abs(x))

/** Where a step of gradient descent with a learning rate of 1/4 takes the ratio. */
const stepped = ({ ratio }: Token, gradient: number): number => ratio * Math.exp(-gradient / 4)
const isInBand = (ratio: number, slack = 0): boolean => Math.abs(ratio - 1) <= epsilon + slack

// ── Without a clip it makes no difference ──

const agrees = fc.check(
  fc.property(anyToken, (token) => {
    const { one, two } = unclipped(token)
    return near(one, two)
  }),
  { seed: 1 },
)
console.log(`unclipped: the gradients agree in ${String(agrees.numRuns)} of ${String(agrees.numRuns + Number(agrees.failed))} cases`)

// ── With one, a step on one loss brings a token back into the band, and a step on two throws it far out ──

const stays = fc.check(
  fc.property(anyToken, (token) => {
    const { one, two } = clipped(token)
    return !isInBand(stepped(token, one)) || isInBand(stepped(token, two), 0.1)
  }),
  { seed: 1, numRuns: 10_000 },
)
const [left] = stays.counterexample ?? []
if (left === undefined) console.log('clipped: no token was found that two losses take out of the band')
else {
  const { one, two } = clipped(left)
  console.log(`clipped: two losses throw a token out of the band [${String(1 - epsilon)}, ${String(1 + epsilon)}]
  a token with ratio ${String(left.ratio)}, outcome advantage ${String(left.outcome)}, memory advantage ${String(left.memory)}
  one loss:   gradient ${one.toFixed(3)}, a step takes the ratio to ${stepped(left, one).toFixed(3)}
  two losses: gradient ${two.toFixed(3)}, a step takes the ratio to ${stepped(left, two).toFixed(3)}`)
}

// ── And where the advantages conflict, they pull a token to and fro ──

console.log('outcome −0.8, memory +1.2: the token is on balance good')
for (const ratio of [0.7, 1, 1.3]) {
  const { one, two } = clipped({ ratio, outcome: -0.8, memory: 1.2 })
  const way = (gradient: number): string => (gradient < 0 ? 'more likely' : gradient > 0 ? 'less likely' : 'left alone')
  console.log(`  ratio ${ratio.toFixed(1)}: one loss, ${way(one)} (${one.toFixed(2)}); two, ${way(two)} (${two.toFixed(2)})`)
}
if (agrees.failed || !stays.failed) process.exitCode = 1
