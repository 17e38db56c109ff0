import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Device } from '../backends/backend.js'
import type { MadeBy, Value } from '../dsl/index.js'
import type { DecoderConfig, DecoderSpecs } from '../models/index.js'
import type { TrainError } from './errors.js'
import { dropTree, type HeldFor, holdTree } from './held.js'
import { load, type LoadedProgram, run } from './load.js'
import type { Drawing, Drawn } from './sampling.js'
import { drawingProgram, readingProgram, speechSpecs, type SpeechSpecs, takingProgram } from './speech-programs.js'

type Contexts = readonly (readonly number[])[]

/** Sequences that are being written, one a row, of up to so many tokens. */
export interface Speech {
  readonly rows: number
  readonly slots: number
  readonly held: HeldFor<SpeechSpecs>
}

/** What a token of each row is drawn by, on the host. */
export interface Draws {
  /** How many tokens of each row were read: its last one stands there. */
  readonly starts: readonly number[]
  /** Of each row, in [0, 1). */
  readonly uniform: readonly number[]
  readonly temperature: number
  readonly topK: number
  readonly topP: number
}

/** A decoder that writes sequences on a device. What is given to `taken` is spent: its memory is given back. */
export interface Speaker {
  /** Sequences that begin with contexts, one token each at least; room for so many more. Contexts that are equal are read once. */
  readonly begun: (params: HeldFor<DecoderSpecs>, contexts: Contexts, more: number) => TE.TaskEither<TrainError, Speech>
  /** The rows with these numbers, in this order. */
  readonly taken: (speech: Speech, rows: readonly number[]) => TE.TaskEither<TrainError, Speech>
  /** A token more in each row. Fails with `cacheFull` where a row has no room for it. */
  readonly drawn: (
    drawing: Drawing,
    params: HeldFor<DecoderSpecs>,
    speech: Speech,
    draws: Draws,
  ) => TE.TaskEither<TrainError, MadeBy<Drawn>>
  readonly dropped: (speech: Speech) => void
}

/** A device keeps what it prepared for some sizes, so there are to be few: multiples of 16. */
const inSixteens = (n: number): number => Math.ceil(n / 16) * 16

const longest = (rows: Contexts): number => rows.reduce((most, { length }) => Math.max(most, length), 0)

const int32 = (data: readonly number[]): Value => ({ sizes: [data.length], data: Int32Array.from(data) })
const float32 = (data: readonly number[]): Value => ({ sizes: [data.length], data: Float32Array.from(data) })
const upTo = (n: number): Value => ({ sizes: [n], data: Int32Array.from({ length: n }, (_, i) => i) })

/** Rows behind which there is 0, a token like any other. */
const padded = (rows: Contexts, time: number): Value => {
  const data = new Int32Array(rows.length * time)
  rows.forEach((row, i) => data.set(row, i * time))
  return { sizes: [rows.length, time], data }
}

/** Each context once, and which of these each is. */
const distinct = (contexts: Contexts): { readonly once: Contexts; readonly which: readonly number[] } => {
  const numbers = new Map<string, number>()
  const which = contexts.map((context) => {
    const text = context.join()
    const number = numbers.get(text) ?? numbers.size
    numbers.set(text, number)
    return number
  })
  return { once: contexts.filter((_, row) => which.indexOf(which[row]!) === row), which }
}

interface Programs {
  readonly reading: LoadedProgram<ReturnType<typeof readingProgram>>
  readonly taking: LoadedProgram<ReturnType<typeof takingProgram>>
  readonly drawing: (drawing: Drawing) => TE.TaskEither<TrainError, LoadedProgram<ReturnType<typeof drawingProgram>>>
}

const speakerWith = (device: Device, config: DecoderConfig, { reading, taking, drawing }: Programs): Speaker => {
  const dropped = ({ held }: Speech): void => dropTree(device)(held)

  const held = (rows: number, slots: number, last?: Value): TE.TaskEither<TrainError, Speech> =>
    pipe(
      holdTree(device)(speechSpecs(config, { batch: rows, slot: slots }), { last }),
      TE.map((held) => ({ rows, slots, held })),
    )

  /** A speech after a run that writes it; where the run fails it is given back. */
  const after = (speech: Speech, ran: TE.TaskEither<TrainError, unknown>): TE.TaskEither<TrainError, Speech> =>
    pipe(
      ran,
      TE.bimap(
        (error) => {
          dropped(speech)
          return error
        },
        () => speech,
      ),
    )

  const taken: Speaker['taken'] = (from, rows) =>
    pipe(
      held(rows.length, from.slots),
      TE.chain((to) => after(to, run('taking', taking, { rows: int32(rows), from: from.held }, to.held))),
      TE.bimap(
        (error) => {
          dropped(from)
          return error
        },
        (to) => {
          dropped(from)
          return to
        },
      ),
    )

  const read = (params: HeldFor<DecoderSpecs>, contexts: Contexts, more: number): TE.TaskEither<TrainError, Speech> => {
    const beginnings = contexts.map((context) => context.slice(0, -1))
    const time = inSixteens(longest(beginnings))
    const given = { params, ids: padded(beginnings, time), starts: int32(contexts.map(() => 0)), slots: upTo(time) }
    return pipe(
      held(contexts.length, inSixteens(longest(beginnings) + more), int32(contexts.map((context) => context.at(-1)!))),
      TE.chain((speech) => (time === 0 ? TE.right(speech) : after(speech, run('reading', reading, given, speech.held)))),
    )
  }

  return {
    dropped,
    taken,
    begun: (params, contexts, more) => {
      const { once, which } = distinct(contexts)
      const speech = read(params, once, more)
      return once.length === contexts.length ? speech : pipe(speech, TE.chain((from) => taken(from, which))) // prettier-ignore
    },
    drawn: (kind, params, { slots, held }, { starts, uniform, ...settings }) => {
      const row = starts.findIndex((start) => start >= slots)
      if (row >= 0) return TE.left({ tag: 'cacheFull', row, place: starts[row]!, slots })
      const seen = inSixteens(1 + Math.max(...starts))
      const given = { params, starts: int32(starts), slots: upTo(seen), chance: { uniform: float32(uniform), ...settings } }
      return pipe(
        drawing(kind),
        TE.chain((loaded) => run('drawing', loaded, given, held)),
      )
    },
  }
}

/** Programs that are loaded when they are first asked for. */
const onDemand = (device: Device, config: DecoderConfig): Programs['drawing'] => {
  const loaded = new Map<Drawing, ReturnType<ReturnType<Programs['drawing']>>>()
  return (drawing) => () => {
    const program = loaded.get(drawing) ?? load(device)(`drawing (${drawing})`, () => drawingProgram(config, drawing))()
    loaded.set(drawing, program)
    return program
  }
}

/** Make a decoder ready to write on a device. */
export const loadSpeaker =
  (device: Device) =>
  (config: DecoderConfig): TE.TaskEither<TrainError, Speaker> =>
    pipe(
      TE.Do,
      TE.bind('reading', () => load(device)('reading', () => readingProgram(config))),
      TE.bind('taking', () => load(device)('taking', () => takingProgram(config))),
      TE.map((programs) => speakerWith(device, config, { ...programs, drawing: onDemand(device, config) })),
    )
