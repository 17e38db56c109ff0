import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Environment } from '../../tasks/environment.js'
import { type ModelFiles, writeCheckpoint } from './checkpoint.js'
import type { RunError } from './error.js'
import type { Death, Life, LifeEvent, Rest } from './event.js'
import type { RunFault } from './fault.js'
import { type Files, writing } from './files.js'
import { keepCheckpoints, type Keeping } from './keep.js'
import { asJson, type Lines, linesOf } from './lines.js'
import type { Progress } from './progress.js'
import { transcriptsOf } from './transcript.js'

/** How a life is written down. */
export interface Recording<S> {
  readonly files: Files
  readonly folder: string
  readonly model: ModelFiles
  readonly environment: Environment<S>
  readonly origin: Pick<Progress, 'seed' | 'adapter' | 'fma'>
  /** After how many steps there is a checkpoint; there is one at both ends of each stage, and where the policy was examined, in any case. */
  readonly every: number
  readonly keep: Keeping
  /** After how many steps of reinforcement some episodes are written, as text and word by word, and how many; 0 for never. */
  readonly transcripts: { readonly every: number; readonly episodes: number }
  /** Whether the life is to be saved and left after the step at hand. */
  readonly isStopped: () => boolean
}

/** What happens in a recorded life. */
export type RunEvent<S> = LifeEvent<S> | { readonly tag: 'saved'; readonly step: number; readonly checkpoint: string }

const writtenLines = <S>({ files, folder }: Recording<S>, lines: Lines): TE.TaskEither<RunError, unknown> =>
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
  if (event.tag !== 'reinforced' || transcripts.every === 0 || event.ofStage % transcripts.every !== 0) return TE.right(undefined)
  const file = join(folder, 'transcripts', String(event.step).padStart(6, '0'))
  const text = transcript(environment, event, transcripts.episodes)
  const lines = transcriptsOf(environment, event.report, transcripts.episodes).map((one) => `${asJson(one)}\n`)
  return writing(file, async () => {
    await files.makeFolder(join(folder, 'transcripts'))
    await files.write(`${file}.txt`, [new TextEncoder().encode(text)])
    await files.write(`${file}.jsonl`, [new TextEncoder().encode(lines.join(''))])
  })
}

/** All that is written of an event. */
const writtenDown = <S>(recording: Recording<S>, event: LifeEvent<S>): TE.TaskEither<RunFault, void> =>
  pipe(
    writtenLines(recording, linesOf(event)),
    TE.flatMap(() => writtenTranscript(recording, event)),
    TE.mapLeft(atFolder),
  )

const atFolder = (error: RunError): RunFault => ({ tag: 'folder', error })

/** Write the checkpoint of a step that is over, and let go of those that need not be kept. */
const saved = <S>({ files, folder, model, origin, keep }: Recording<S>, { at, snapshot }: Rest): TE.TaskEither<RunFault, string> =>
  pipe(
    snapshot,
    TE.mapLeft((error): RunFault => ({ tag: 'training', error, step: at.step })),
    TE.flatMap((taken) =>
      pipe(
        writeCheckpoint(files, folder, model)({ ...at, ...origin }, taken),
        TE.tap(() => keepCheckpoints(files, folder, keep, at.evaluations)),
        TE.mapLeft(atFolder),
      ),
    ),
  )

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

/** The end of a life that ended by itself. */
const endOf =
  <S>(recording: Recording<S>) =>
  async (end: E.Either<Death, void>): Promise<E.Either<RunFault, RunEnd>> =>
    E.isLeft(end) ? E.left(await buried(recording)(end.left)) : E.right({ tag: 'finished' })

const isDue = <S>({ every }: Recording<S>, { isLandmark, at }: Rest): boolean => isLandmark || at.step % every === 0

/** A life that is written into a folder as it happens: numbers, times, episodes and checkpoints. It ends at the first thing that cannot be written. */
export async function* recorded<S>(recording: Recording<S>, life: Life<S, void>): AsyncGenerator<RunEvent<S>, E.Either<RunFault, RunEnd>> {
  for (;;) {
    const next = await life.next()
    if (next.done === true) return endOf(recording)(next.value)
    const event = next.value
    const written = await writtenDown(recording, event)()
    if (E.isLeft(written)) return written
    yield event
    if (event.tag !== 'rests') continue
    const isStopped = recording.isStopped()
    if (isStopped || isDue(recording, event)) {
      const checkpoint = await saved(recording, event)()
      if (E.isLeft(checkpoint)) return checkpoint
      yield { tag: 'saved', step: event.at.step, checkpoint: checkpoint.right }
    }
    if (isStopped && !event.isEnd) return E.right({ tag: 'stopped', step: event.at.step })
  }
}
