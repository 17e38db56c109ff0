import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Device } from '../backends/backend.js'
import { type Key, type MadeBy, random } from '../dsl/index.js'
import type { DecoderConfig, DecoderSpecs } from '../models/index.js'
import type { TrainError } from './errors.js'
import type { HeldFor } from './held.js'
import { respondFault } from './respond-fault.js'
import type { Drawing, Drawn } from './sampling.js'
import { type Draws, loadSpeaker, type Speaker } from './speech.js'

/** How contexts are answered. */
export interface RespondSettings {
  /** Of an answer, its stop token included. */
  readonly maxTokens: number
  /** The tokens that end an answer. */
  readonly stopIds: readonly number[]
  /** The logits are divided by it before a token is drawn; 0 takes the most likely token. */
  readonly temperature: number
  /** Only so many of the most likely tokens are drawn; all unless given. */
  readonly topK?: number
  /** Of these only so many of the most likely as have this probability together; all unless given. */
  readonly topP?: number
  /** Serves these answers alone. */
  readonly key: Key
}

/** What a policy said after a context: up to and with its stop token, or as far as it was let. */
export interface Answer {
  readonly ids: readonly number[]
  /** log π of each id, in nats, of the policy at temperature 1: what a loss scores. */
  readonly logProbs: readonly number[]
  /** log μ of each id, in nats, of the distribution that it was drawn from; at temperature 0 all are 0. */
  readonly samplingLogProbs: readonly number[]
}

type Contexts = readonly (readonly number[])[]

/**
 * Answers of a policy to contexts of any lengths, of one token at least. What a row is answered depends on the key, the parameters, its own
 * context and its number alone: the token at a place is drawn by `random.uniform(random.fold(key, row), place)` on every device. The other
 * rows are seen in rounding alone, and on a strict CPU not at all. A stopId outside the vocabulary stops nothing.
 */
export type Respond = (
  params: HeldFor<DecoderSpecs>,
  contexts: Contexts,
  settings: RespondSettings,
) => TE.TaskEither<TrainError, readonly Answer[]>

const drawingOf = ({ temperature, topK, topP = 1 }: RespondSettings): Drawing =>
  temperature === 0 ? 'greedy' : topK === undefined && topP === 1 ? 'whole' : 'part'

interface Written {
  readonly ids: number[]
  readonly logProbs: number[]
  readonly samplingLogProbs: number[]
}

/** The rows of a batch that are half of it, those that go on among them; undefined where more of them do. */
const halfOf = (batch: readonly number[], goesOn: (row: number) => boolean): readonly number[] | undefined => {
  const places = batch.map((_, place) => place)
  const [on, over] = [places.filter((place) => goesOn(batch[place]!)), places.filter((place) => !goesOn(batch[place]!))]
  const half = Math.ceil(batch.length / 2)
  return on.length <= half && half < batch.length ? [...on, ...over].slice(0, half) : undefined
}

const drawsOf = ({ temperature, topK, topP = 1, key }: RespondSettings, vocab: number) => {
  const settings = { temperature, topK: topK ?? vocab, topP }
  return (batch: readonly number[], contexts: Contexts, place: number): Draws => ({
    ...settings,
    starts: batch.map((row) => contexts[row]!.length - 1 + place),
    uniform: batch.map((row) => random.uniform(random.fold(key, row), place)),
  })
}

/** All rows advance together; what is drawn for one that is over is not looked at, and where half of them are over the batch is halved. */
const respondWith =
  (speaker: Speaker, { vocab }: DecoderConfig): Respond =>
  (params, contexts, settings) =>
  async () => {
    const { maxTokens, stopIds } = settings
    const fault = respondFault(vocab, contexts, settings)
    if (fault !== undefined) return E.left(fault)
    const answers = contexts.map((): Written => ({ ids: [], logProbs: [], samplingLogProbs: [] }))
    if (contexts.length === 0) return E.right(answers)
    const stops = new Set(stopIds)
    const goesOn = (row: number): boolean => !stops.has(answers[row]!.ids.at(-1) ?? -1)
    const drawsAt = drawsOf(settings, vocab)

    const begun = await speaker.begun(params, contexts, maxTokens)()
    if (E.isLeft(begun)) return begun
    let speech = begun.right
    let batch: readonly number[] = contexts.map((_, row) => row)
    for (let place = 0; place < maxTokens && batch.some(goesOn); place++) {
      const half = halfOf(batch, goesOn)
      if (half !== undefined) {
        const taken = await speaker.taken(speech, half)()
        if (E.isLeft(taken)) return taken
        speech = taken.right
        batch = half.map((place) => batch[place]!)
      }
      const drawn = await speaker.drawn(drawingOf(settings), params, speech, drawsAt(batch, contexts, place))()
      if (E.isLeft(drawn)) {
        speaker.dropped(speech)
        return drawn
      }
      write(answers, batch.map((row) => (goesOn(row) ? row : undefined)), drawn.right) // prettier-ignore
    }
    speaker.dropped(speech)
    return E.right(answers)
  }

const write = (
  answers: readonly Written[],
  rows: readonly (number | undefined)[],
  { ids, logProbs, samplingLogProbs }: MadeBy<Drawn>,
): void =>
  rows.forEach((row, i) => {
    if (row === undefined) return
    answers[row]!.ids.push(ids.data[i]!)
    answers[row]!.logProbs.push(logProbs.data[i]!)
    answers[row]!.samplingLogProbs.push(samplingLogProbs.data[i]!)
  })

/** Make a decoder ready to answer on a device, at any parameters. */
export const loadRespond =
  (device: Device) =>
  (config: DecoderConfig): TE.TaskEither<TrainError, Respond> =>
    pipe(
      loadSpeaker(device)(config),
      TE.map((speaker) => respondWith(speaker, config)),
    )
