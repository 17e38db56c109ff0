import { type Command, Option } from 'commander'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Device, type DeviceKind, deviceKinds } from '../../backends/index.js'
import { decoderSpecs, type DecoderSpecs } from '../../models/index.js'
import {
  announcing,
  disk,
  findCheckpoint,
  type HeldFor,
  holdTree,
  readPolicyAt,
  readProgressAt,
  type Progress,
  type Respond,
  respondOn,
  type TrainError,
} from '../../training/index.js'
import { positiveNumber } from '../arguments.js'
import { deviceFor } from './device.js'
import type { RunCommandError } from './error.js'
import { inFolder, openRun } from './folder.js'
import { type Ground, groundOf } from './ground.js'
import { showOn } from './show.js'

type Errors = NonEmptyArray<RunCommandError>

/** The policy of a run at a checkpoint, on a device, ready to answer. */
export interface ReadyPolicy extends Ground {
  readonly progress: Progress
  readonly params: HeldFor<DecoderSpecs>
  readonly respond: Respond
}

const inTraining = (error: TrainError): Errors => [{ tag: 'fault', fault: { tag: 'training', error, step: 0 } }]

const ready = (device: Device, folder: string, name: string, ground: Ground): TE.TaskEither<Errors, ReadyPolicy> => {
  const { model } = ground
  return pipe(
    TE.Do,
    TE.bind('checkpoint', () => findCheckpoint(disk, folder, name)),
    TE.bind('progress', ({ checkpoint }) => readProgressAt(disk, folder, checkpoint)),
    TE.bind('policy', ({ checkpoint }) => readPolicyAt(disk, folder, model, checkpoint)),
    TE.mapLeft(inFolder),
    TE.bind('params', ({ policy }) => pipe(holdTree(device)(decoderSpecs(model.config), policy), TE.mapLeft(inTraining))),
    TE.bind('respond', () => pipe(respondOn(device, { model: model.config }), TE.mapLeft(inTraining))),
    TE.map(({ progress, params, respond }) => ({ ...ground, progress, params, respond })),
  )
}

/** Which policy is to answer, and where. */
export interface PolicyFlags {
  readonly checkpoint: string
  readonly device?: DeviceKind
  readonly threads?: number
  readonly schedules?: string
}

/** A command with the folder of a run and the flags that choose a policy of it. */
export const takingPolicy = (command: Command): Command =>
  command
    .argument('<folder>', 'the folder of a run')
    .option('--checkpoint <name>', 'which: latest, best by its greedy reward when it was examined, or after how many steps', 'latest')
    .addOption(new Option('--device <kind>', 'where to run; where the run ran unless said').choices(deviceKinds))
    .option('--threads <n>', 'how many threads of the processor to use', positiveNumber)
    .option('--schedules <file>', 'what `axgrad tune` found for the adapter that it runs on')

/** Have a policy of a run answer, on a device that is released afterwards. How it goes is said on stderr: stdout is what was asked for. */
export const withPolicy =
  (folder: string, { checkpoint, schedules, ...where }: PolicyFlags) =>
  <A>(answer: (policy: ReadyPolicy) => TE.TaskEither<TrainError, A>): TE.TaskEither<Errors, A> =>
    pipe(
      openRun(folder),
      TE.bindTo('begun'),
      TE.bind('ground', ({ begun: { config } }) => TE.fromEither(groundOf(config))),
      TE.bind('device', ({ begun: { config } }) => deviceFor({ ...config, ...where }, schedules)),
      TE.flatMap(({ ground, device }) => async () => {
        const show = showOn('stderr')
        const telling = announcing(device, (program) => show.during(`compiling ${program}`))
        try {
          return await pipe(
            ready(telling, folder, checkpoint, ground),
            TE.tapIO(() => () => show.begin('answering')),
            TE.flatMap((policy) => pipe(answer(policy), TE.mapLeft(inTraining))),
          )()
        } finally {
          show.end()
          await device.release()
        }
      }),
    )
