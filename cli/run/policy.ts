import * as E from 'fp-ts/lib/Either.js'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Device, type DeviceKind, openDevice } from '../../backends/index.js'
import { decoderSpecs, type DecoderSpecs } from '../../models/index.js'
import {
  disk,
  type HeldFor,
  holdTree,
  latest,
  readPolicyAt,
  readProgressAt,
  type Progress,
  type Respond,
  respondOn,
  type TrainError,
} from '../../training/index.js'
import { renderRunCommandError, type RunCommandError } from './error.js'
import { inFolder, openRun } from './folder.js'
import { type Prepared, prepareRun } from './plan.js'

type Errors = NonEmptyArray<RunCommandError>

/** The policy of a run at its newest checkpoint, on a device, ready to answer. */
export interface ReadyPolicy {
  readonly prepared: Prepared
  readonly progress: Progress
  readonly params: HeldFor<DecoderSpecs>
  readonly respond: Respond
}

const inTraining = (error: TrainError): Errors => [{ tag: 'fault', fault: { tag: 'training', error, step: 0 } }]

const ready = (device: Device, folder: string, prepared: Prepared): TE.TaskEither<Errors, ReadyPolicy> =>
  pipe(
    TE.Do,
    TE.bind('checkpoint', () => latest(disk, folder)),
    TE.bind('progress', ({ checkpoint }) => readProgressAt(disk, folder, checkpoint)),
    TE.bind('policy', ({ checkpoint }) => readPolicyAt(disk, folder, prepared.model, checkpoint)),
    TE.mapLeft(inFolder),
    TE.bind('params', ({ policy }) => pipe(holdTree(device)(decoderSpecs(prepared.plan.model), policy), TE.mapLeft(inTraining))),
    TE.bind('respond', () => pipe(respondOn(device, prepared.plan), TE.mapLeft(inTraining))),
    TE.map(({ progress, params, respond }) => ({ prepared, progress, params, respond })),
  )

/** Where a run's policy is to answer. */
export interface WhereFlags {
  readonly device?: DeviceKind
  readonly threads?: number
}

/** Do something with the policy of a run, on a device that is released afterwards. */
export const withPolicy =
  (folder: string, { device: kind, threads }: WhereFlags) =>
  <A>(use: (policy: ReadyPolicy) => TE.TaskEither<TrainError, A>): TE.TaskEither<Errors, A> =>
    pipe(
      openRun(folder),
      TE.flatMap(prepareRun),
      TE.flatMap((prepared) => async () => {
        const { config } = prepared
        const opened = await openDevice(kind ?? (config.device as DeviceKind), {
          strict: config.strict,
          ...(threads !== undefined && { threads }),
        })()
        if (E.isLeft(opened)) return E.left<Errors>([{ tag: 'noDevice', error: opened.left }])
        const device = opened.right
        return pipe(
          ready(device, folder, prepared),
          TE.flatMap((policy) => pipe(use(policy), TE.mapLeft(inTraining))),
        )().finally(() => device.release())
      }),
    )

/** Say why a command of a run does not start, or ended. */
export const renderErrors = (errors: Errors): string => errors.map(renderRunCommandError).join('\n')
