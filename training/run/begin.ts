import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { checkpointName, latest, type ModelFiles } from './checkpoint.js'
import type { RunError } from './error.js'
import { type Files, reading, replaceFile, writing } from './files.js'
import { cutBack } from './json-lines.js'
import { type RunPlan, stageEnds, stageSpecs } from './plan.js'
import type { Progress } from './progress.js'
import { readCheckpoint } from './read-checkpoint.js'
import type { Base, Resumed } from './resumed.js'
import { restParams } from './snapshot.js'

const isThere = (files: Files, file: string): TE.TaskEither<never, boolean> =>
  pipe(
    reading(files, file),
    TE.map(() => true),
    TE.orElse(() => TE.right<never, boolean>(false)),
  )

/** Say in config.json what a run is run by: at its beginning, and where it goes on with other settings. */
export const writeRunConfig = (files: Files, folder: string, config: unknown): TE.TaskEither<RunError, void> =>
  replaceFile(files, join(folder, 'config.json'), `${JSON.stringify(config, null, 2)}\n`)

/** Make the folder of a new run, with what it is run by in config.json. A folder with a run in it is left as it is. */
export const beginRun = (files: Files, folder: string, config: unknown): TE.TaskEither<RunError, void> =>
  pipe(
    isThere(files, join(folder, 'config.json')),
    TE.flatMap((there) => (there ? TE.left({ tag: 'occupied', folder } as const) : TE.right(undefined))),
    TE.flatMap(() => writing(folder, () => files.makeFolder(folder))),
    TE.flatMap(() => writeRunConfig(files, folder, config)),
  )

/** What a run was begun with, as its config.json says. */
export const readRunConfig = (files: Files, folder: string): TE.TaskEither<RunError, unknown> =>
  pipe(
    reading(files, join(folder, 'config.json')),
    TE.mapLeft((error): RunError => ({ tag: 'notARun', folder, because: error.because })),
    TE.flatMapEither((bytes) =>
      E.tryCatch(
        () => JSON.parse(new TextDecoder().decode(bytes)) as unknown,
        (error): RunError => ({ tag: 'notARun', folder, because: `config.json is no JSON: ${String(error)}` }),
      ),
    ),
  )

const roundingOf = ({ adapter, fma }: Pick<Progress, 'adapter' | 'fma'>): string =>
  `${adapter} ${fma ? 'with' : 'without'} fused multiply-adds`

/** Why a run does not go on in the same way here, if it does not. */
const difference = (progress: Progress, here: Pick<Progress, 'seed' | 'adapter' | 'fma'>): RunError | undefined => {
  if (progress.seed !== here.seed)
    return {
      tag: 'differs',
      what: 'the seed',
      run: String(progress.seed),
      asked: String(here.seed),
      attempt: `leave --seed out, or begin a new run`,
    }
  if (progress.adapter !== here.adapter || progress.fma !== here.fma)
    return {
      tag: 'differs',
      what: 'the arithmetic',
      run: roundingOf(progress),
      asked: `${roundingOf(here)}, which rounds otherwise,`,
      attempt: progress.fma ? `resume without --strict, where there is relaxed SIMD` : `resume with --strict, on the device of the run`,
    }
  return undefined
}

/** Why a run has no step left that is asked for, if that is so. */
const beyond = (step: number, all: number): RunError | undefined =>
  step <= all
    ? undefined
    : { tag: 'differs', what: 'the number of steps', run: String(step), asked: String(all), attempt: `ask for more steps` }

/** What the reinforcement of a run began with: its policy and its model of rewards as they were then. */
const baseOf = <S>(files: Files, folder: string, model: ModelFiles, plan: RunPlan<S>): TE.TaskEither<RunError, Base> => {
  const specs = stageSpecs(plan)
  return pipe(
    readCheckpoint(files, folder, model, checkpointName(stageEnds(plan).rewardModel), specs),
    TE.map(({ progress, snapshot }) => ({
      reference: snapshot.policy,
      ...(progress.stage === 'rewardModel' && (restParams(specs('rewardModel'), snapshot) as Omit<Base, 'reference'>)),
    })),
  )
}

/** The newest checkpoint of a run, with what it needs to go on: what was written after it is cut off. */
export const resumeRun = <S>(
  files: Files,
  folder: string,
  model: ModelFiles,
  plan: RunPlan<S>,
  here: Pick<Progress, 'seed' | 'adapter' | 'fma'>,
): TE.TaskEither<RunError, Resumed> =>
  pipe(
    latest(files, folder),
    TE.flatMap((name) => readCheckpoint(files, folder, model, name, stageSpecs(plan))),
    TE.tap(({ progress }) => {
      const error = difference(progress, here) ?? beyond(progress.step, stageEnds(plan).reinforcement)
      return error === undefined ? TE.right(undefined) : TE.left(error)
    }),
    TE.flatMap((found) =>
      found.progress.stage === 'reinforcement'
        ? pipe(
            baseOf(files, folder, model, plan),
            TE.map((base): Resumed => ({ ...found, base })),
          )
        : TE.right<RunError, Resumed>(found),
    ),
    TE.tap(({ progress }) => cutBack(files, join(folder, 'metrics.jsonl'), progress)),
    TE.tap(({ progress }) => cutBack(files, join(folder, 'timing.jsonl'), progress)),
  )
