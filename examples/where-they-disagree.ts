/*
 * Where verl, TRL and MiniMind disagree, on one batch. What two of them make of it differs by the settings that are listed: they are changed
 * one after the other until the second system's loss is reached. The output is docs/where-they-disagree.md.
 *
 *   npx tsx examples/where-they-disagree.ts > docs/where-they-disagree.md
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import {
  aggregate,
  type Aggregation,
  categoricalKl,
  cispoLoss,
  fixedDivisor,
  groupAdvantages,
  grpoLoss,
  klEstimates,
  type PolicyBatch,
  type Preset,
  presets,
  rowMeanTokenMean,
  sequenceMeanTokenMean,
  sequenceMeanTokenSum,
  tokenMean,
} from 'axgrad/algorithms'
import { grad, valueAndGrad } from 'axgrad/autodiff'
import { evaluate } from 'axgrad/backends/cpu'
import * as d from 'axgrad/dsl'

// ── The batch: three responses to one question and one to another; the second of them has no token ──

const logProbs = [[-1.2, -0.4, -2.1, -0.7], [-0.3, -0.9, -1.5, -0.2], [-2.3, -0.1, -0.8, -1.9], [-0.6, -1.1, -0.4, -3.0]] // prettier-ignore
const moved = (by: (row: number, time: number) => number) => d.nested(logProbs.map((row, b) => row.map((logProb, t) => logProb + by(b, t))))

const given = {
  logProbs: d.nested(logProbs),
  oldLogProbs: moved((b, t) => (b === 2 && t === 0 ? -1.6 : 0.5 * Math.sin(5 * b + 3 * t))),
  refLogProbs: moved((b, t) => (b === 0 && t === 2 ? 2.8 : 0.9 * Math.sin(3 * b + 2 * t + 1))),
  responseMask: d.nested([[true, true, true, true], [false, false, false, false], [true, true, false, false], [true, true, true, false]]), // prettier-ignore
  rewards: d.nested([1, 0, 0.4, 0.7]),
  question: d.nested([0, 0, 0, 1]),
}

const tokens = d.f32('batch', 'time')
const inputs = {
  logProbs: tokens,
  oldLogProbs: tokens,
  refLogProbs: tokens,
  responseMask: d.bool('batch', 'time'),
  rewards: d.f32('batch'),
  question: d.i32('batch'),
}

const right = <A>(made: E.Either<unknown, A>): A => {
  if (E.isLeft(made)) throw new Error(JSON.stringify(made.left))
  return made.right
}

interface Result {
  readonly loss: number
  /** The Euclidean length of the gradient by `logProbs`. */
  readonly gradient: number
}

const lengthOf = ({ data }: d.HostTensor): number => Math.hypot(...data)

const run = (advantages: Preset['advantages'], loss: (batch: PolicyBatch) => d.Scalar): Result => {
  const program = d.program({
    inputs,
    body: ({ rewards, question, ...batch }) => ({
      outputs: valueAndGrad((logProbs: typeof batch.logProbs) =>
        loss({ ...batch, logProbs, advantages: groupAdvantages(advantages)(rewards, question) }),
      )(batch.logProbs),
    }),
  })
  const { value, grad } = right(evaluate(program, given)).outputs
  return { loss: value.data[0]!, gradient: lengthOf(grad) }
}

// ── Settings, changed one after the other ──

const losses = {
  GRPO: { of: ({ advantages, grpo }: Preset) => run(advantages, grpoLoss(grpo)), part: 'grpo' },
  CISPO: { of: ({ advantages, cispo }: Preset) => run(advantages, cispoLoss(cispo)), part: 'cispo' },
} as const

type Settings = Readonly<Record<string, unknown>>

const aggregations: Readonly<Record<string, Aggregation>> = { tokenMean, rowMeanTokenMean, sequenceMeanTokenMean, sequenceMeanTokenSum }

const show = (value: unknown): string => {
  const known = Object.entries(aggregations).find(([, aggregation]) => aggregation === value)?.[0]
  if (known !== undefined) return known
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  if (typeof value !== 'object' || value === null) return 'none'
  return Object.entries(value)
    .map(([name, x]) => `${name} ${show(x)}`)
    .join(', ')
}

const differing = (from: Settings, to: Settings): readonly string[] =>
  [...new Set([...Object.keys(from), ...Object.keys(to)])].filter((name) => show(from[name]) !== show(to[name]))

const number = (x: number): string => x.toFixed(4)
const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(...head), row(...head.map(() => '---')), ...rows.map((cells) => row(...cells))].join('\n')

const walk = (name: keyof typeof losses, from: keyof typeof presets, to: keyof typeof presets): string => {
  const { of, part } = losses[name]
  let preset: Preset = presets[from]
  let before = of(preset)
  const rows = [[`as ${from}`, '', number(before.loss), '', number(before.gradient)]]
  for (const field of ['advantages', part] as const)
    for (const setting of differing(preset[field] as unknown as Settings, presets[to][field] as unknown as Settings)) {
      const [old, next] = [preset[field], presets[to][field]].map((settings) => (settings as unknown as Settings)[setting])
      preset = { ...preset, [field]: { ...preset[field], [setting]: next } }
      const after = of(preset)
      const change = after.loss - before.loss
      rows.push([`${field}.${setting}`, `${show(old)} → ${show(next)}`, number(after.loss), `${change < 0 ? '' : '+'}${number(change)}`, number(after.gradient)]) // prettier-ignore
      before = after
    }
  const target = of(presets[to])
  if (before.loss !== target.loss || before.gradient !== target.gradient) throw new Error(`the settings listed do not explain ${to}`)
  return `### ${name}, from ${from} to ${to}\n\n${table(['setting', 'change', 'loss', 'by', 'gradient'], rows)}`
}

// ── What the KL estimates are estimates of: means under the policy, over all words ──

const words = d.f32('vocab')
const kl = d.program({
  inputs: { logits: words, refLogits: words },
  body: ({ logits, refLogits }) => {
    const ofWords = (x: d.Tensor<'vocab'>) => d.logSoftmax('vocab')<'vocab'>(x)
    const probabilities = d.softmax('vocab')<'vocab'>(logits)
    const expected = (x: d.Tensor<'vocab'>) => pipe(d.mul(d.stopGradient(probabilities), x), d.sum('vocab'))
    const exact = (x: d.Tensor<'vocab'>) => categoricalKl('vocab')(x, refLogits)
    const exactGradient = grad(exact)(logits)
    const reversed = (x: d.Tensor<'vocab'>) => categoricalKl('vocab')(refLogits, x)
    const estimate = (of: (x: d.Tensor<'vocab'>) => d.Tensor<'vocab'>) => ({
      value: expected(of(logits)),
      gradient: grad((x: d.Tensor<'vocab'>) => expected(of(x)))(logits),
    })
    return {
      outputs: {
        'KL(π‖π_ref)': { value: exact(logits), gradient: exactGradient },
        'KL(π_ref‖π)': { value: reversed(logits), gradient: grad(reversed)(logits) },
        k1: estimate((x) => klEstimates.k1(ofWords(x), ofWords(refLogits))),
        k2: estimate((x) => klEstimates.k2(ofWords(x), ofWords(refLogits))),
        k3: estimate((x) => klEstimates.k3(ofWords(x), ofWords(refLogits))),
        'k3 with π and π_ref exchanged': estimate((x) => klEstimates.k3(ofWords(refLogits), ofWords(x))),
      },
    }
  },
})

const klRows = Object.entries(
  right(evaluate(kl, { logits: d.nested([0.5, -1, 0.2, 1.4]), refLogits: d.nested([0, -0.2, 0.9, 0.6]) })).outputs,
).map(([name, { value, gradient }]) => [name, number(value.data[0]!), `[${[...gradient.data].map(number).join(', ')}]`])

// ── How tokens become one number ──

const means = Object.entries({ ...aggregations, 'mean over all elements': fixedDivisor() }).map(([name, aggregation]) => {
  const program = d.program({
    inputs: { x: tokens, mask: d.bool('batch', 'time') },
    body: ({ x, mask }) => ({ outputs: pipe(x, aggregate(aggregation)(mask)) }),
  })
  return [name, number(right(evaluate(program, { x: given.logProbs, mask: given.responseMask })).outputs.data[0]!)]
})

console.log(`# Where they disagree

One batch: three responses to one question, of which the second has no token, and one to another. A token that is worse than the mean has become
five times as likely, and another is 2.8 nats more likely under the reference. Printed by \`npx tsx examples/where-they-disagree.ts\`.

## The same batch by each preset

${table(
  ['preset', 'GRPO loss', 'gradient', 'CISPO loss', 'gradient'],
  Object.entries(presets).map(([name, preset]) => {
    const [grpo, cispo] = [losses.GRPO.of(preset), losses.CISPO.of(preset)]
    return [name, number(grpo.loss), number(grpo.gradient), number(cispo.loss), number(cispo.gradient)]
  }),
)}

A gradient is given by its length, by the log-probabilities of the policy.

## Which setting makes the difference

Each line changes one setting of the line before; the last has all of the second system's. In another order the shares differ, the sum does not.

${[walk('GRPO', 'verl', 'trl'), walk('GRPO', 'verl', 'minimind'), walk('CISPO', 'verl', 'minimind'), walk('GRPO', 'minimind', 'minimindAgent')].join('\n\n')}

## What the KL estimates are estimates of

Means under π over a vocabulary of four words, exactly; the gradient is the mean of the estimate's gradient by the logits, the tokens being samples.

${table(['', 'value', 'gradient'], klRows)}

- The value of k3 is unbiased: it is KL(π‖π_ref), and so is that of k1. With π and π_ref exchanged, as one finds it written, it is neither divergence.
- The gradient of k3 is that of KL(π_ref‖π), and not of what it estimates. That of k1 is 0: as a loss it does nothing. k2 has the right gradient and a
  biased value, which is what \`withGradientOfK2\` puts together.

## How tokens become one number

The mean of the log-probabilities of this batch, by each aggregation:

${table(['aggregation', 'mean'], means)}

An element outside the mask counts in the mean over all elements, and a row without a token in \`rowMeanTokenMean\`.`)
