/*
 * From reward to loss, on numbers that fit a page: two questions, two responses to each, up to three tokens, five words. Every tensor on the
 * way is printed with its axes, and the relations that a trainer lives by are checked in float64.
 *
 *   npx tsx examples/reward-to-loss.ts
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import {
  aggregate,
  approximateKl,
  dpoLoss,
  gae,
  groupAdvantages,
  grpoLoss,
  klK1,
  klK3,
  onLastToken,
  policyRatio,
  presets,
  responseOnly,
  responseTokens,
  tokenMean,
} from 'axgrad/algorithms'
import { grad } from 'axgrad/autodiff'
import { evaluate } from 'axgrad/backends/cpu'
import * as d from 'axgrad/dsl'

// ── What is given ──

type Version = 'policy' | 'old' | 'reference'

/** Numbers that look like logits, the same each time; those of the three versions of the policy lie near each other. */
const fixedLogits = (version: Version): readonly (readonly (readonly number[])[])[] => {
  const drift = { policy: 0.3, old: 0.2, reference: 0 }[version]
  const at = (row: number, time: number, word: number): number =>
    2 * Math.sin(7 * row + 3 * time + 5 * word) + drift * Math.cos(row + 2 * time + 3 * word)
  return [0, 1, 2, 3].map((row) => [0, 1, 2].map((time) => [0, 1, 2, 3, 4].map((word) => at(row, time, word))))
}

const inputs = {
  ids: d.i32('batch', 'time'),
  /** Which tokens the policy wrote. */
  responseMask: d.bool('batch', 'time'),
  question: d.i32('batch'),
  rewards: d.f32('batch'),
  /** What a critic expects from each place on. */
  values: d.f32('batch', 'time'),
  logits: { policy: d.f32('batch', 'time', 'vocab'), old: d.f32('batch', 'time', 'vocab'), reference: d.f32('batch', 'time', 'vocab') },
}

/** Row 1 ends early; the second token of row 3 is what a tool answered. */
const given = {
  ids: d.nested([[0, 3, 4], [2, 4, 0], [1, 2, 4], [3, 3, 4]]), // prettier-ignore
  responseMask: d.nested([[true, true, true], [true, true, false], [true, true, true], [true, false, true]]), // prettier-ignore
  question: d.nested([0, 0, 1, 1]),
  rewards: d.nested([1, 0, 0.5, -0.5]),
  values: d.nested([[0.2, 0.4, 0.7], [0.3, 0.1, 0], [0.1, 0.2, 0.4], [0, 0.2, -0.2]]), // prettier-ignore
  logits: {
    policy: d.nested(fixedLogits('policy')),
    old: d.nested(fixedLogits('old')),
    reference: d.nested(fixedLogits('reference')),
  },
}

// ── The way from one to the other ──

const equals = <A extends string, B extends A>(x: d.Tensor<A>, y: d.Tensor<B> | number): d.Tensor<A, 'bool'> =>
  d.less(d.abs(d.sub(x, y)), 1e-12)

const lesson = d.program({
  inputs,
  body: ({ ids, responseMask, question, rewards, values, logits }) => {
    // What each version of the policy thought of the tokens that the old one drew.
    const scored = d.tokenLogProbs('vocab')(ids)
    const [logProbs, oldLogProbs, refLogProbs] = [scored(logits.policy), scored(logits.old), scored(logits.reference)]

    // GRPO: a response is as good as it is better than the others to its question. PPO: a token, as it turned out better than a critic thought.
    const advantages = groupAdvantages(presets.verl.advantages)(rewards, question)
    const tokenRewards = onLastToken(responseMask)(rewards)
    const ppo = gae({ gamma: 1, lambda: 1 })({ rewards: tokenRewards, values, responseMask })

    // The loss asks three things of each token: how far π is from π_old (the ratio), from π_ref (the KL), and whether it was good.
    const batch = { logProbs, oldLogProbs, refLogProbs, advantages, responseMask }
    const tokens = responseTokens(batch)
    const ratio = policyRatio(tokens)
    const referenceKl = klK3(tokens.logProbs, tokens.refLogProbs)
    const mean = aggregate(tokenMean)(responseMask)
    const loss = grpoLoss({ clip: { low: 0.2, high: 0.2 }, beta: 0.1 })
    const gradient = grad((x: typeof logProbs) => loss({ ...batch, logProbs: x }))

    // DPO has neither reward nor rollout: of the two responses to a question, the first is said to be the better.
    const response = (from: 0 | 1) => {
      const rows = d.slice('batch', { from, step: 2 })
      return { logProbs: rows(logProbs), refLogProbs: rows(refLogProbs), responseMask: rows(responseMask) }
    }
    const [chosen, rejected] = [response(0), response(1)]
    const beta = 0.1
    const dpo = dpoLoss({ beta })({ chosen, rejected })
    const reversed = dpoLoss({ beta })({ chosen: rejected, rejected: chosen })
    const logRatioOf = ({ responseMask, ...x }: typeof chosen) => pipe(d.sub(x.logProbs, x.refLogProbs), d.maskedSum(responseMask, 'time'))
    const margins = d.sub(logRatioOf(chosen), logRatioOf(rejected))

    return {
      outputs: {
        tensors: {
          logProbs, oldLogProbs, refLogProbs, rewards, tokenRewards,
          'advantages (GRPO)': advantages, 'advantages (PPO)': ppo.advantages, 'returns (PPO)': ppo.returns,
          ratio, 'approximate KL, π from π_old': approximateKl(tokenMean)(batch), 'k3, π from π_ref': referenceKl,
          'mean k3': mean(referenceKl), 'GRPO loss': loss(batch), '∂ loss / ∂ logProbs': gradient(logProbs), 'margins (DPO)': margins, 'DPO loss': dpo,
        }, // prettier-ignore
        relations: {
          'the probabilities of all words are 1 together': equals(pipe(logits.policy, d.softmax('vocab'), d.sum('vocab')), 1),
          'a reward lies on the last token of its response, and nothing elsewhere': equals(pipe(tokenRewards, d.sum('time')), rewards),
          'GRPO: the advantages add up to 0': equals(pipe(advantages, d.sum('batch')), 0),
          'PPO with λ = 1: advantage and value are the reward to come': equals(
            pipe(d.add(ppo.advantages, values), d.where(responseMask)),
            responseOnly(responseMask)(rewards),
          ),
          'the ratio is e to new minus old, and 1 outside the response': equals(
            ratio,
            d.exp(pipe(d.sub(logProbs, oldLogProbs), d.where(responseMask))),
          ),
          'before the first update the approximate KL is 0': equals(approximateKl(tokenMean)({ ...batch, logProbs: oldLogProbs }), 0),
          'the KL to the reference is not: it compares another pair of policies': d.greater(mean(klK3(oldLogProbs, refLogProbs)), 0),
          'k3 is k1 and what has mean 0 under the policy': equals(
            d.sub(referenceKl, klK1(tokens.logProbs, tokens.refLogProbs)),
            d.expm1(d.sub(tokens.refLogProbs, tokens.logProbs)),
          ),
          'what a tool wrote, and padding, have no gradient': equals(pipe(gradient(logProbs), d.where(d.not(responseMask))), 0),
          'DPO: loss(m) − loss(−m) is −β·m, whatever the rewards were': equals(
            d.sub(dpo, reversed),
            d.mul(-beta, pipe(margins, d.mean('batch'))),
          ),
        },
      },
    }
  },
})

// ── Printing it ──

const rowsOf = ({ sizes, data }: d.HostTensor): readonly (readonly number[])[] => {
  const width = sizes[1] ?? 1
  return Array.from({ length: data.length / width }, (_, row) => [...data.slice(row * width, (row + 1) * width)])
}

const show = (name: string, x: d.HostTensor): string =>
  [`${name}  [${x.axes.join(', ')}]`, ...rowsOf(x).map((row) => row.map((value) => value.toFixed(3).padStart(9)).join(''))].join('\n')

const made = evaluate(lesson, given)
if (E.isLeft(made)) throw new Error(JSON.stringify(made.left))
const { tensors, relations } = made.right.outputs
for (const [name, x] of Object.entries(tensors)) console.log(show(name, x))
for (const [says, { data }] of Object.entries(relations)) {
  const holds = data.every((x) => x === 1)
  console.log(`${holds ? 'holds' : 'FAILS'}  ${says}`)
  if (!holds) process.exitCode = 1
}
