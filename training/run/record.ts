import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Environment } from '../../tasks/environment.js'
import { renderTrainError, type TrainError } from '../errors.js'
import { type ModelFiles, writeCheckpoint } from './checkpoint.js'
import { type RunError, renderRunFolderError } from './error.js'
import type { Death, Life, LifeEvent } from './event.js'
import { type Files, writing } from './files.js'
import type { Progress } from './progress.js'
import { report } from '../../dsl/index.js'

/** How a life is written down. */
export interface Recording<S> {
  readonly files: Files
  readonly folder: string
  readonly model: ModelFiles
  readonly environment: Environment<S>
  readonly origin: Pick<Progress, 'seed' | 'adapter' | 'fma'>
  /** After how many steps there is a checkpoint; there is one at both ends of each stage in any case. */
  readonly every: number
  /** After how many steps of reinforcement some episodes are written as text, and how many; 0 for never. */
  readonly transcripts: { readonly every: number; readonly episodes: number }
  /** Whether the life is to be saved and left after the step at hand. */
  readonly isStopped: () => boolean
}

/** How a run ended before its time. */
export type RunFault =
  | { readonly tag: 'folder'; readonly error: RunError }
  /** A step failed. What it was given is in the file, if there is one. */
  | { readonly tag: 'training'; readonly error: TrainError; readonly step: number; readonly batch?: string }

/** Three lines: what and where, because, try. */
export const renderRunFault = (fault: RunFault): string => {
  if (fault.tag === 'folder') return renderRunFolderError(fault.error)
  if (fault.error.tag !== 'notFinite' || fault.batch === undefined) return renderTrainError(fault.error)
  const { step, quantity, value } = fault.error
  return report(
    `step ${String(fault.step)}, update ${String(step)}`,
    `${quantity} is ${String(value)}, with the batch in ${fault.batch}`,
    `lower the learning rate or the gradient norm; look for a logarithm or a division of 0 in the loss`,
  )
}

/** What happens in a recorded life. */
export type RunEvent<S> = LifeEvent<S> | { readonly tag: 'saved'; readonly step: number; readonly checkpoint: string }

/** JSON without numbers that it has no word for: those are written as text. */
const asJson = (value: unknown): string =>
  JSON.stringify(value, (_, x: unknown) => {
    if (ArrayBuffer.isView(x)) return Array.from(x as unknown as ArrayLike<number>)
    return typeof x === 'number' && !Number.isFinite(x) ? String(x) : x
  })

type Lines = Readonly<Partial<Record<'metrics.jsonl' | 'timing.jsonl', unknown>>>

/** What is written of an event: numbers, and times apart from them, since the same run takes another time. */
const linesOf = <S>(event: LifeEvent<S>): Lines => {
  switch (event.tag) {
    case 'begins':
    case 'rests':
      return {}
    case 'evaluated': {
      const { step, ...evaluation } = event.evaluation
      return { 'metrics.jsonl': { step, stage: 'evaluation', ...evaluation } }
    }
    case 'taught': {
      const { step: updates, about, metrics, ...numbers } = event.report
      const { step, seconds } = event
      return {
        'metrics.jsonl': { step, stage: 'supervised', updates, ...numbers, ...about, ...metrics },
        'timing.jsonl': { step, seconds, tokensPerSecond: about.tokens / seconds },
      }
    }
    case 'reinforced': {
      const { step, metrics, seconds, report: done } = event
      return {
        'metrics.jsonl': { ...metrics, step, stage: 'reinforcement' },
        'timing.jsonl': { step, seconds, ...done.seconds, tokensPerSecond: metrics.written.total / done.seconds.rollout },
      }
    }
  }
}

const writtenLines = ({ files, folder }: Recording<never>, lines: Lines): TE.TaskEither<RunError, unknown> =>
  pipe(
    Object.entries(lines),
    TE.traverseSeqArray(([name, line]) => writing(join(folder, name), () => files.append(join(folder, name), `${asJson(line)}\n`))),
  )

const transcript = <S>(environment: Environment<S>, event: LifeEvent<S> & { readonly tag: 'reinforced' }, episodes: number): string =>
  event.report.trajectories
    .slice(0, episodes)
    .map(({ state, reward }) => `${environment.render(state)}\nreward ${String(reward.value)}  ${asJson(reward.parts)}\n`)
    .join('\n')

const writtenTranscript = <S>(recording: Recording<S>, event: LifeEvent<S>): TE.TaskEither<RunError, void> => {
  const { files, folder, environment, transcripts } = recording
  if (event.tag !== 'reinforced' || transcripts.every === 0 || event.step % transcripts.every !== 0) return TE.right(undefined)
  const file = join(folder, 'transcripts', `${String(event.step).padStart(6, '0')}.txt`)
  const text = transcript(environment, event, transcripts.episodes)
  return writing(file, async () => {
    await files.makeFolder(join(folder, 'transcripts'))
    await files.write(file, [new TextEncoder().encode(text)])
  })
}

const atFolder = (error: RunError): RunFault => ({ tag: 'folder', error })

/** Write the checkpoint of a step that is over. */
const saved = <S>(recording: Recording<S>, event: LifeEvent<S> & { readonly tag: 'rests' }): TE.TaskEither<RunFault, string> => {
  const { files, folder, model, origin } = recording
  return pipe(
    event.snapshot,
    TE.mapLeft((error): RunFault => ({ tag: 'training', error, step: event.at.step })),
    TE.flatMap((snapshot) => pipe(writeCheckpoint(files, folder, model)({ ...event.at, ...origin }, snapshot), TE.mapLeft(atFolder))),
  )
}

/** The fault of a death, with what the step was given in a file beside the run. */
const buried =
  <S>({ files, folder, origin }: Recording<S>) =>
  async ({ step, error, batch }: Death): Promise<RunFault> => {
    const fault = { tag: 'training', error, step } as const
    if (batch === null) return fault
    const file = join(folder, 'faults', `${String(step).padStart(6, '0')}.json`)
    const kept = await writing(file, async () => {
      await files.makeFolder(join(folder, 'faults'))
      await files.write(file, [new TextEncoder().encode(asJson({ step, seed: origin.seed, error, batch }))])
    })()
    return E.isLeft(kept) ? fault : { ...fault, batch: file }
  }

/** Whether all of a life has been recorded, or it was stopped and can be resumed. */
export type RunEnd = { readonly tag: 'finished' } | { readonly tag: 'stopped'; readonly step: number }

/** A life that is written into a folder as it happens: numbers, times, episodes and checkpoints. It ends at the first thing that cannot be written. */
export async function* recorded<S>(recording: Recording<S>, life: Life<S, void>): AsyncGenerator<RunEvent<S>, E.Either<RunFault, RunEnd>> {
  for (;;) {
    const next = await life.next()
    if (next.done === true)
      return E.isLeft(next.value) ? E.left(await buried(recording)(next.value.left)) : E.right({ tag: 'finished' } as const)
    const event = next.value
    const written = await pipe(
      writtenLines(recording as unknown as Recording<never>, linesOf(event)),
      TE.flatMap(() => writtenTranscript(recording, event)),
    )()
    if (E.isLeft(written)) return E.left(atFolder(written.left))
    yield event
    if (event.tag !== 'rests') continue
    const { step } = event.at
    const isStopped = recording.isStopped()
    if (event.isStage || isStopped || step % recording.every === 0) {
      const checkpoint = await saved(recording, event)()
      if (E.isLeft(checkpoint)) return checkpoint
      yield { tag: 'saved', step, checkpoint: checkpoint.right }
    }
    if (isStopped && !event.isStage) return E.right({ tag: 'stopped', step })
  }
}
