import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { afterAll, beforeAll } from 'vitest'
import { type Device, type Loaded, renderDeviceError } from '../../../backends/backend.js'
import { type AcquireSettings, type Kind, openWebGpu, renderAcquireError, usualSettings } from '../../../backends/webgpu/index.js'
import { type Plan, plan } from '../../../compiler/index.js'
import type { Program } from '../../../dsl/index.js'

export const orThrow =
  <E>(render: (error: E) => string) =>
  async <A>(task: TE.TaskEither<E, A>): Promise<A> => {
    const done = await task()
    if (E.isLeft(done)) throw new Error(render(done.left))
    return done.right
  }

/** The software adapter, whose driver comes with `npm install`; ADAPTER=webgpu runs the same tests on one of this system. */
const kind: Kind = process.env['ADAPTER'] === 'webgpu' ? 'webgpu' : 'software'

/** A device with these settings. There is no "skip where no adapter is": its absence is a failure. */
export const open = (settings: Partial<AcquireSettings> = {}): Promise<Device> =>
  orThrow(renderAcquireError)(openWebGpu(kind, { ...usualSettings(), ...settings }))

/** A device for all tests of a file. */
export const openedForAll = (settings: Partial<AcquireSettings> = {}): (() => Device) => {
  let device: Device | undefined
  beforeAll(async () => {
    device = await open(settings)
  })
  afterAll(() => device?.release())
  return () => device!
}

export const right = <E, A>(either: E.Either<E, A>): A => {
  if (E.isLeft(either)) throw new Error(JSON.stringify(either.left))
  return either.right
}

export const planned = <I, S, O>(p: Program<I, S, O>): Plan<I, S, O> => right(plan(p))

export const load = <I, S, O>(device: Device, p: Plan<I, S, O>): Promise<Loaded<I, S, O>> => orThrow(renderDeviceError)(device.load(p))

export const must = orThrow((error: unknown) => JSON.stringify(error))
