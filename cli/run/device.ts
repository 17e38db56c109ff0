import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Device, type DeviceKind, openDevice } from '../../backends/index.js'
import type { RunCommandError } from './error.js'
import type { RunConfig } from './schema.js'

/** The device that a config asks for. Whoever opened it releases it. */
export const deviceFor = ({
  device,
  strict,
  threads,
}: Pick<RunConfig, 'device' | 'strict' | 'threads'>): TE.TaskEither<NonEmptyArray<RunCommandError>, Device> =>
  pipe(
    openDevice(device as DeviceKind, { strict, ...(threads !== undefined && { threads }) }),
    TE.mapLeft((error): NonEmptyArray<RunCommandError> => [{ tag: 'noDevice', error }]),
  )
