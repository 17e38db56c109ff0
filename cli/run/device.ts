import * as E from 'fp-ts/lib/Either.js'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Device, type DeviceKind, openDevice } from '../../backends/index.js'
import { readScheduleFile, type ScheduleFile, schedulesOf } from '../schedule-file.js'
import type { RunCommandError } from './error.js'
import type { RunConfig } from './schema.js'

type Where = Pick<RunConfig, 'device' | 'strict' | 'precision' | 'threads'>

const opened = ({ device, strict, precision, threads }: Where, tuned: ScheduleFile | undefined): TE.TaskEither<RunCommandError, Device> =>
  pipe(
    openDevice(device as DeviceKind, {
      strict,
      precision,
      ...(threads !== undefined && { threads }),
      ...(tuned !== undefined && { schedules: schedulesOf(tuned) }),
    }),
    TE.mapLeft((error): RunCommandError => ({ tag: 'noDevice', error })),
  )

/** A device for which the schedules were measured; any other is released. */
const tunedFor =
  (file: string, { adapter }: ScheduleFile) =>
  (device: Device): TE.TaskEither<RunCommandError, Device> =>
    device.facts.adapter === adapter
      ? TE.right(device)
      : async () => {
          await device.release()
          return E.left({ tag: 'tunedElsewhere', file, adapter, here: device.facts.adapter })
        }

/** The device that a config asks for, with the schedules of a file where one is named. Whoever opened it releases it. */
export const deviceFor = (where: Where, schedules?: string): TE.TaskEither<NonEmptyArray<RunCommandError>, Device> =>
  pipe(
    schedules === undefined
      ? opened(where, undefined)
      : pipe(
          readScheduleFile(schedules),
          TE.flatMap((tuned) => pipe(opened(where, tuned), TE.flatMap(tunedFor(schedules, tuned)))),
        ),
    TE.mapLeft((error): NonEmptyArray<RunCommandError> => [error]),
  )
