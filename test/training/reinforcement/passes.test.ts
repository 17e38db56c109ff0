import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { expect, test } from 'vitest'
import type { Device } from '../../../backends/backend.js'
import { countrySearch } from '../../../tasks/index.js'
import type { MemoryBaseline, Respond } from '../../../training/index.js'
import { right } from '../../right.js'
import { onCpu } from '../tiny.js'
import { base, learnt } from './learnt.js'

const { baseOf, elements, searchEnvironment } = countrySearch
const elementsBase = baseOf(elements)

/** One hop, its answer and two to spare: four turns for whoever does not answer. */
const turns = 4
const environment = right(searchEnvironment(elementsBase, { objectives: { 1: 1 }, twoHops: 0 }))
const settings = { steps: 1, questions: 3, answers: 2, epochs: 1, oldLogProbs: 'recomputed', memory: { ...base.memory } } as const
const played = settings.questions * settings.answers * turns

const search = right(elementsBase.vocabulary.encode('<mem> none </mem> <think> 1 </think> <search> symbol Helium </search>'))

/** A policy that searches until its turns run out, so that every trajectory has all of them. */
const searching: Respond = (_, contexts) => TE.right(contexts.map(() => ({ ids: search, logProbs: search.map(() => -1), samplingLogProbs: search.map(() => -1) }))) // prettier-ignore

type Sized = { readonly tokens?: { readonly sizes: readonly number[] } }
type Given = Sized & { readonly batch?: Sized }

/** The rows of each run of a program that reads sequences: those that only score them, and those that learn from them. */
interface Seen {
  readonly scored: number[]
  readonly learnt: number[]
}

/** A device that says what it was handed. */
const watched = (device: Device, { scored, learnt }: Seen): Device => ({
  ...device,
  load: (planned) => async () =>
    E.map((loaded: Awaited<ReturnType<ReturnType<Device['load']>>> extends E.Either<unknown, infer L> ? L : never) => ({
      ...loaded,
      run: (inputs: Given, state: never) => {
        if (inputs.tokens !== undefined) scored.push(inputs.tokens.sizes[0]!)
        if (inputs.batch?.tokens !== undefined) learnt.push(inputs.batch.tokens.sizes[0]!)
        return loaded.run(inputs, state)
      },
    }))((await device.load(planned)()) as never) as never,
})

const sum = (xs: readonly number[]): number => xs.reduce((total, x) => total + x, 0)

/** The passes that a step says it made, and the rows that the device saw. */
const passesOf = (algorithm: string, baseline: MemoryBaseline = 'full') =>
  onCpu(async (device) => {
    const seen: Seen = { scored: [], learnt: [] }
    const changed = { ...settings, memory: { ...settings.memory, baseline } }
    const { metrics } = await learnt(watched(device, seen), environment, algorithm, changed, { heard: () => Promise.resolve(searching) })
    return { passes: metrics[0]!.forwardPasses, scored: sum(seen.scored), learnt: sum(seen.learnt) }
  })

test('a step of GRPO is four forward passes: the rollout, the old policy, the reference and the update', async () => {
  expect(await passesOf('grpo')).toEqual({
    passes: { rollout: played, old: played, reference: played, update: played },
    scored: 2 * played,
    learnt: played,
  })
})

test('a step of MemPO is five: the fifth reads 2·B·(T − 1)·n probes', async () => {
  const probes = 2 * settings.questions * (turns - 1) * settings.answers
  expect(await passesOf('mempo')).toEqual({
    passes: { rollout: played, old: played, reference: played, probes, update: played },
    scored: 2 * played + probes,
    learnt: played,
  })
})

test('a baseline that needs no reading halves the probes', async () => {
  const probes = settings.questions * (turns - 1) * settings.answers
  const { passes, scored } = await passesOf('mempo', 'found')
  expect([passes.probes, scored]).toEqual([probes, 2 * played + probes])
})
