import * as E from 'fp-ts/lib/Either.js'
import { expect, test } from 'vitest'
import type { Device } from '../../backends/backend.js'
import { openCpu } from '../../backends/cpu/index.js'
import { plan } from '../../compiler/index.js'
import { bool, i32, nested, program, random } from '../../dsl/index.js'
import { logits } from '../../models/index.js'
import {
  type Answer,
  answerValues,
  holdTree,
  loadRespond,
  nextTokens,
  renderTrainError,
  type RespondSettings,
  targetLogProbs,
} from '../../training/index.js'
import { drawingProgram, speechSpecs } from '../../training/speech-programs.js'
import { openedForAll } from '../backends/webgpu/opened.js'
import { plainLogits } from '../models/plain-decoder.js'
import { right as orThrow } from '../right.js'
import { plainDraw } from './plain-sampling.js'
import { config, initial, onCpu, parameters, right } from './tiny.js'

type Contexts = readonly (readonly number[])[]

/** Of 1 to 5 tokens, some of them equal. */
const contexts: Contexts = Array.from({ length: 12 }, (_, row) => [row % 6, (5 * row) % 6, 3, 1, row % 4].slice(0, 1 + (row % 5)))
const settings: RespondSettings = { maxTokens: 9, stopIds: [0], temperature: 1, key: random.key(7) }

const answersOn = async (device: Device, changed: Partial<RespondSettings> = {}, asked: Contexts = contexts) => {
  const params = right(await holdTree(device)(parameters, initial)())
  const respond = right(await loadRespond(device)(config)())
  return right(await respond(params, asked, { ...settings, ...changed })())
}

const sampled = (changed: Partial<RespondSettings> = {}, asked: Contexts = contexts) => onCpu((device) => answersOn(device, changed, asked))

/** The answers by formulas in plain numbers, each row by itself, everything read again for each token. */
const plainAnswers = (changed: Partial<RespondSettings> = {}): readonly Answer[] => {
  const all = { ...settings, ...changed }
  return contexts.map((context, row) => {
    const answer = { ids: [] as number[], logProbs: [] as number[], samplingLogProbs: [] as number[] }
    for (let place = 0; place < all.maxTokens && !all.stopIds.includes(answer.ids.at(-1) ?? -1); place++) {
      const next = plainLogits(config, initial, [...context, ...answer.ids]).at(-1)!
      const { id, logProb, samplingLogProb } = plainDraw(next, random.uniform(random.fold(all.key, row), place), all)
      answer.ids.push(id)
      answer.logProbs.push(logProb)
      answer.samplingLogProbs.push(samplingLogProb)
    }
    return answer
  })
}

const idsOf = (answers: readonly Answer[]) => answers.map(({ ids }) => ids)

const software = openedForAll()

test.each<Partial<RespondSettings>>([
  { temperature: 1 },
  { temperature: 2, stopIds: [0, 3] },
  { temperature: 0 },
  { temperature: 1.5, topK: 4, topP: 0.8 },
])('answers are those of the formulas written out, on the CPU and on a software adapter: %o', async (changed) => {
  const expected = plainAnswers(changed)
  const made = { cpu: await sampled(changed), software: await answersOn(software(), changed) }
  for (const [where, answers] of Object.entries(made)) {
    expect(idsOf(answers), where).toEqual(idsOf(expected))
    answers.forEach(({ logProbs, samplingLogProbs }, row) => {
      logProbs.forEach((x, i) => expect(x, where).toBeCloseTo(expected[row]!.logProbs[i]!, 4))
      samplingLogProbs.forEach((x, i) => expect(x, where).toBeCloseTo(expected[row]!.samplingLogProbs[i]!, 4))
    })
  }
})

test('the same key gives the same answers, another key others', async () => {
  const answers = await sampled()
  expect(await sampled()).toEqual(answers)
  expect(await sampled({ key: random.key(8) })).not.toEqual(answers)
})

test('an answer ends with its stop token or at the limit', async () => {
  const answers = await sampled()
  for (const { ids, logProbs, samplingLogProbs } of answers) {
    expect(ids.indexOf(0)).toBe(ids.at(-1) === 0 ? ids.length - 1 : -1)
    expect(ids.at(-1) === 0 || ids.length === settings.maxTokens).toBe(true)
    expect([logProbs.length, samplingLogProbs.length]).toEqual([ids.length, ids.length])
  }
  expect(new Set(answers.map(({ ids }) => ids.length)).size).toBeGreaterThan(2)
})

/** Where every machine gives the same bits, a sum has the same bits at any size, too; else an element may be rounded once or twice. */
const strictly = (changed: Partial<RespondSettings>, asked: Contexts = contexts) =>
  onCpu((device) => answersOn(device, changed, asked), { strict: true })

test('a row has the same answer, to the last bit, whatever the other rows are', async () => {
  const answers = await strictly({})
  const long = [1, 5, ...Array.from({ length: 20 }, () => 2)]
  const beside = await strictly({}, contexts.map((context, row) => (row % 3 === 0 ? context : long))) // prettier-ignore
  answers.forEach((answer, row) => row % 3 === 0 && expect(beside[row]).toEqual(answer))
  expect(await strictly({}, contexts.slice(0, 3))).toEqual(answers.slice(0, 3))
})

test('a row has the same answer, to the last bit, whether the others go on or not', async () => {
  const [all, early] = [await strictly({ stopIds: [] }), await strictly({})]
  early.forEach(({ ids, logProbs }, row) => {
    expect(all[row]!.ids.slice(0, ids.length)).toEqual(ids)
    expect(all[row]!.logProbs.slice(0, ids.length)).toEqual(logProbs)
  })
})

test('temperature 0 says what is most likely, whatever the key, and is sure of it', async () => {
  const answers = await sampled({ temperature: 0 })
  expect(await sampled({ temperature: 0, key: random.key(8) })).toEqual(answers)
  expect(answers.every(({ samplingLogProbs }) => samplingLogProbs.every((x) => x === 0))).toBe(true)
})

const scoring = program({
  inputs: { params: parameters, tokens: i32('batch', 'time'), targets: i32('batch', 'time'), responseMask: bool('batch', 'time') },
  body: ({ params, ...batch }) => ({ outputs: { logProbs: targetLogProbs(logits(config), params, batch) } }),
})

const largestDifference = async (device: Device, temperature: number): Promise<number> => {
  const answers = await answersOn(device, { temperature })
  const sequences = answers.map(({ ids }, row) => ({ prompt: contexts[row]!, answer: ids }))
  const given = nextTokens(sequences, 5)
  const loaded = orThrow(await device.load(orThrow(plan(scoring)))())
  const { data } = orThrow(await loaded.run({ params: initial, ...given })()).logProbs
  const said = answerValues(
    sequences,
    answers.map(({ logProbs }) => logProbs),
  ).data
  return Math.max(...given.responseMask.data.map((inside, i) => (inside === 1 ? Math.abs(said[i]! - data[i]!) : 0)))
}

test.each([0, 0.5, 1, 2])(
  'at temperature %d the log-probabilities are those that a pass over the whole sequences gives',
  async (temperature) => {
    expect(await onCpu((device) => largestDifference(device, temperature))).toBeLessThan(2e-5)
    expect(await largestDifference(software(), temperature)).toBeLessThan(1e-4)
  },
)

/** A device that says how many rows each token was drawn for. */
const watched = (device: Device, rows: number[]): Device => ({
  ...device,
  load: (planned) => async () =>
    E.map((loaded: Awaited<ReturnType<ReturnType<Device['load']>>> extends E.Either<unknown, infer L> ? L : never) => ({
      ...loaded,
      run: (inputs: { readonly chance?: { readonly uniform: { readonly sizes: readonly number[] } } }, state: never) => {
        if (inputs.chance !== undefined) rows.push(inputs.chance.uniform.sizes[0]!)
        return loaded.run(inputs, state)
      },
    }))((await device.load(planned)()) as never) as never,
})

test('rows that are over leave the batch, half of it at a time, and nothing is drawn once all are', () =>
  onCpu(async (device) => {
    const rows: number[] = []
    const answers = await answersOn(watched(device, rows), { maxTokens: 40 })
    const going = rows.map((_, place) => answers.filter(({ ids }) => ids.length > place).length)
    expect(rows[0]).toBe(12)
    expect(going.every((count) => count > 0)).toBe(true)
    expect(rows).toHaveLength(Math.max(...answers.map(({ ids }) => ids.length)))
    rows.forEach((count, place) => expect(count === 1 || Math.ceil(count / 2) < going[place]!).toBe(true))
    expect(rows.at(-1)).toBeLessThan(12)
  }))

test('the work for a token grows as the number of tokens before it', () =>
  onCpu(async (device) => {
    const held = right(await holdTree(device)(speechSpecs(config, { batch: 3, slot: 128 }), {})())
    const loaded = orThrow(await device.load(orThrow(plan(drawingProgram(config, 'whole'))))())
    const flopsAt = async (seen: number): Promise<number> => {
      const slots = nested(Array.from({ length: seen }, (_, i) => i))
      const chance = { uniform: nested([0, 0.5, 0.9]), temperature: 1, topK: 6, topP: 1 }
      const { commands } = orThrow(await loaded.profile({ params: initial, starts: nested([0, 0, seen - 1]), slots, chance }, held)())
      return commands.reduce((sum, { flops }) => sum + flops, 0)
    }
    const [first, second, fourth] = [await flopsAt(32), await flopsAt(64), await flopsAt(128)]
    expect(second).toBeGreaterThan(first)
    expect(fourth - second).toBe(2 * (second - first))
  }))

test('a device holds afterwards what it held before, if it refuses in the middle too', async () => {
  for (const limit of [2 ** 32, ...Array.from({ length: 12 }, (_, i) => 4096 * (i + 2))]) {
    const device = openCpu({ limit })
    const params = await holdTree(device)(parameters, initial)()
    if (E.isRight(params)) {
      const before = device.holds().length
      const respond = right(await loadRespond(device)(config)())
      const made = await respond(params.right, contexts, settings)()
      expect(E.isRight(made) || (made.left.tag === 'refused' || made.left.tag === 'runFailed')).toBe(true) // prettier-ignore
      expect(device.holds()).toHaveLength(before)
    }
    await device.release()
  }
})

test('no contexts, or no tokens, are no answers', async () => {
  expect(await sampled({}, [])).toEqual([])
  expect(await sampled({ maxTokens: 0 })).toEqual(contexts.map(() => ({ ids: [], logProbs: [], samplingLogProbs: [] })))
})

test.each<[Partial<RespondSettings>, Contexts, string]>([
  [{}, [[1], []], 'context 1\n  because: it has no token'],
  [{}, [[1], [1, 6]], 'context 1\n  because: it has the id 6, and the vocabulary has 6'],
  [{}, [[0.5]], 'context 0\n  because: it has the id 0.5'],
  [{ temperature: -1 }, [[1]], "'temperature' of an answer\n  because: it is -1"],
  [{ temperature: NaN }, [[1]], "'temperature' of an answer\n  because: it is NaN"],
  [{ topK: 0 }, [[1]], "'topK' of an answer\n  because: it is 0"],
  [{ topP: 0 }, [[1]], "'topP' of an answer\n  because: it is 0"],
  [{ maxTokens: 1.5 }, [[1]], "'maxTokens' of an answer\n  because: it is 1.5"],
])('what cannot be answered is refused: %o %o', (changed, asked, said) =>
  onCpu(async (device) => {
    const params = right(await holdTree(device)(parameters, initial)())
    const respond = right(await loadRespond(device)(config)())
    const made = await respond(params, asked, { ...settings, ...changed })()
    expect(E.isLeft(made) && renderTrainError(made.left)).toContain(said)
  }),
)
