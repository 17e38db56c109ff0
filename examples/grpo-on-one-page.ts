/*
 * GRPO on one page. A small transformer plays Countdown: asked `5 7 = 35 :`, it should answer `5 * 7 .`
 * A few demonstrations teach it how an answer looks. From then on it learns from the rewards of its own answers alone.
 *
 *   npx tsx examples/grpo-on-one-page.ts           some 20 seconds; the same numbers each time
 *   npx tsx examples/grpo-on-one-page.ts 7         another seed
 *   npx tsx examples/grpo-on-one-page.ts 1 20 60   seed, steps of reinforcement, steps of imitation
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { groupAdvantages, grpoLoss, presets } from 'axgrad/algorithms'
import { type Device, withDevice } from 'axgrad/backends'
import { openCpu } from 'axgrad/backends/cpu'
import { type Key, random } from 'axgrad/dsl'
import { type DecoderConfig, decoderSpecs, initialParameters, logits } from 'axgrad/models'
import { countdown } from 'axgrad/tasks'
import {
  follow,
  initialState,
  loadLearner,
  loadRespond,
  nextTokens,
  policyLoss,
  renderTrainError,
  type Report,
  type Respond,
  sampledBatch,
  sampledSpecs,
  sequenceSpecs,
  supervisedLoss,
  train,
  withFreshMoments,
} from 'axgrad/training'

const [seed = 1, steps = 150, lessons = 100] = process.argv.slice(2).map(Number)
const stream = (purpose: number): Key => random.fold(random.key(seed), purpose)

const imitation = { steps: lessons, rows: 32, learningRate: 3e-3 }
const reinforcement = { steps, prompts: 16, answersEach: 8, learningRate: 2e-3 }

// ── The policy ──

const model: DecoderConfig = { vocab: countdown.vocabulary.length, embed: 32, layers: 2, heads: 2, headDim: 16, ffn: 64 }
const parameters = decoderSpecs(model)

// ── What is minimised: first −log π of demonstrations, then GRPO's loss of what the policy itself said ──

const imitate = { name: 'imitation', parameters, batch: sequenceSpecs, loss: supervisedLoss(logits(model)) }

const reinforce = {
  name: 'GRPO',
  parameters,
  batch: sampledSpecs,
  loss: policyLoss(logits(model), ({ rewards, group, ...batch }) =>
    grpoLoss({ clip: { low: 0.2, high: 0.2 }, beta: 0 })({
      ...batch,
      advantages: groupAdvantages(presets.trl.advantages)(rewards, group),
    }),
  ),
}

// ── Where batches come from ──

const { padId, stopId } = countdown
const count = 2
const practice = countdown.problems({ count, split: 'train' })
const exam = countdown.problems({ count, split: 'heldOut' })

const problemsOf = (step: number, size: number, from: Key): readonly countdown.Problem[] =>
  Array.from({ length: size }, (_, row) => countdown.problem(practice, (i, n) => random.integer(from, i, n), step * size + row))

function* demonstrations() {
  for (let step = 0; step < imitation.steps; step++) {
    const problems = problemsOf(step, imitation.rows, stream(1))
    const sequences = problems.map((problem) => ({ prompt: countdown.prompt(problem), answer: countdown.oracle(problem) }))
    yield E.right({ given: nextTokens(sequences, padId), about: undefined })
  }
}

const mean = (xs: readonly number[]): number => xs.reduce((sum, x) => sum + x, 0) / xs.length

type Policy = (prompts: readonly (readonly number[])[], key: Key) => ReturnType<Respond>

/** What answers with the parameters as they are at the time. */
const policyOf =
  (respond: Respond, params: Parameters<Respond>[0]): Policy =>
  (prompts, key) =>
    respond(params, prompts, { maxTokens: countdown.answerLength(count), stopIds: [stopId], temperature: 1, key })

/** Every problem asked several times, what the policy answers, and what that earns. */
const attempt = (policy: Policy, problems: readonly countdown.Problem[], answersEach: number, draws: Key) => {
  const asked = problems.flatMap((problem) => Array.from({ length: answersEach }, () => problem))
  const prompts = asked.map(countdown.prompt)
  return pipe(
    policy(prompts, draws),
    TE.map((answers) => {
      const rewards = answers.map(({ ids }, row) => countdown.reward('exact')(asked[row]!, ids))
      const about = { reward: mean(rewards), exact: mean(rewards.map((reward) => (reward === 1 ? 1 : 0))) }
      return { given: sampledBatch({ prompts, answers, rewards, groupSize: answersEach, padId }), about }
    }),
  )
}

async function* experience(policy: Policy) {
  const { prompts, answersEach } = reinforcement
  for (let step = 0; step < steps; step++)
    yield await attempt(policy, problemsOf(step, prompts, stream(2)), answersEach, random.fold(stream(3), step))()
}

// ── What is printed ──

type Earned = Readonly<Record<'reward' | 'exact', number>>

const began = performance.now()
const line = (stage: string, columns: string): void =>
  console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s   ${stage.padEnd(13)}   ${columns}`)
const earned = (tries: readonly Earned[]): string => {
  const [reward, exact] = [mean(tries.map((t) => t.reward)), mean(tries.map((t) => t.exact))]
  return `reward ${reward.toFixed(3)}   exact ${(100 * exact).toFixed(0).padStart(2)} %`
}

/** A line every ten steps, with means over them. */
const tell = <A>(stage: string, columns: (abouts: readonly A[]) => string) => {
  const recent: Report<A>[] = []
  return (report: Report<A>): void => {
    recent.push(report)
    if (recent.length < 10) return
    const loss = mean(recent.map((r) => r.loss))
    line(
      stage,
      `step ${String(report.step).padStart(3)}   loss ${loss.toFixed(3).padStart(6)}   ${columns(recent.map((r) => r.about))}`.trimEnd(),
    )
    recent.length = 0
  }
}

// ── A life ──

const answersEach = 16
const examine = (policy: Policy) => attempt(policy, exam, answersEach, stream(4))

const life = (device: Device) =>
  pipe(
    TE.Do,
    TE.bind('newborn', () => initialState(device)(parameters, initialParameters(model, stream(0)))),
    TE.bind('imitator', () => loadLearner(device)(imitate, () => imitation.learningRate)),
    TE.bind('reinforcer', () => loadLearner(device)(reinforce, () => reinforcement.learningRate)),
    TE.bind('respond', () => loadRespond(device)(model)),
    TE.bind('taught', ({ imitator, newborn }) => follow(tell('imitation', () => ''))(train(imitator, newborn, demonstrations()))),
    TE.let('policy', ({ respond, taught }) => policyOf(respond, taught.params)),
    TE.bind('before', ({ policy }) => examine(policy)),
    TE.bind('start', ({ taught }) => withFreshMoments(device)(parameters, taught.params)),
    TE.bind('grown', ({ reinforcer, start, policy }) =>
      follow(tell('reinforcement', earned))(train(reinforcer, start, experience(policy))),
    ),
    TE.bind('after', ({ policy }) => examine(policy)),
  )

await pipe(
  withDevice(TE.fromIO(openCpu))(life),
  TE.match(
    (error) => {
      console.error(renderTrainError(error))
      process.exitCode = 1
    },
    ({ before, after }) => {
      console.log(`\n${String(exam.length)} problems never trained on, ${String(answersEach)} sampled answers each:`)
      console.log(`  after imitation       ${earned([before.about])}`)
      console.log(`  after reinforcement   ${earned([after.about])}`)
    },
  ),
)()
