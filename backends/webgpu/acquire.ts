import { homedir } from 'node:os'
import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { AcquireError } from './acquire-error.js'
import { type Instance, instanceOfLibrary, instanceOfPackage } from './dawn.js'
import { type Acquired, type LimitsOf, openDevice } from './device.js'
import { locate, needed } from './packages.js'
import type { Precision } from './scheduled.js'
import { type Schedules, usualSchedules } from './schedules.js'
import { prepareSoftware, type SoftwarePlaces } from './software.js'

export type { Acquired, DeviceLimits } from './device.js'

/** `webgpu`: an adapter of this system, in hardware or not. `software`: SwiftShader, from npm alone. */
export type Kind = 'webgpu' | 'software'

/** All that acquiring takes from its surroundings. */
export interface AcquireSettings extends SoftwarePlaces {
  readonly limitsOf: LimitsOf
  readonly schedules: Schedules
  readonly precision: Precision
}

export const usualSettings = (): AcquireSettings => ({
  locate,
  cache: process.env['AXGRAD_CACHE'] ?? join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'axgrad'),
  platform: `${process.platform}-${process.arch}`,
  limitsOf: 'adapter',
  schedules: usualSchedules,
  precision: 'f32',
})

/** A device of its own; the caller owns it. */
export const acquire = (kind: Kind, settings: AcquireSettings = usualSettings()): TE.TaskEither<AcquireError, Acquired> =>
  pipe(
    instances[kind](settings),
    TE.chain(adapterOf),
    TE.chain((adapter) => openDevice(adapter, settings)),
  )

const instances: { readonly [K in Kind]: (settings: AcquireSettings) => TE.TaskEither<AcquireError, Instance> } = {
  webgpu: ({ locate }) =>
    pipe(
      TE.fromEither(needed(locate)('webgpu')),
      TE.chain(({ entry }) => instanceOfPackage(entry)),
    ),
  software: (settings) => pipe(prepareSoftware(settings), TE.chain(instanceOfLibrary)),
}

/** Dawn answers null, or rejects, where it finds no driver. */
const adapterOf = ({ path, gpu }: Instance): TE.TaskEither<AcquireError, GPUAdapter> =>
  pipe(
    TE.tryCatch(
      () => gpu.requestAdapter({ powerPreference: 'high-performance' }),
      (cause): AcquireError => ({ tag: 'noAdapter', path, cause: String(cause) }),
    ),
    TE.chain(TE.fromNullable<AcquireError>({ tag: 'noAdapter', path, cause: 'Dawn found no driver that it can use' })),
  )
