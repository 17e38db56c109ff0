import * as E from 'fp-ts/lib/Either.js'
import type { DeviceError } from '../backend.js'
import type { Memory } from './memory.js'

/**
 * A device that has failed does not say so: most faults do not throw, and after a loss most calls succeed and do nothing.
 * So a loss and a release are remembered here, and commands are given inside error scopes.
 */
export interface Faults {
  /** Whether the device would do `what`. */
  readonly check: (what: string) => E.Either<DeviceError, void>
  /** Give commands, all of them before this first waits, so that those of two callers do not mix; then wait for their result. */
  readonly during: <A>(commands: () => E.Either<DeviceError, Promise<A>>) => Promise<E.Either<DeviceError, A>>
  readonly markReleased: () => void
}

const filters = ['validation', 'internal', 'out-of-memory'] as const satisfies readonly GPUErrorFilter[]

export const watchFaults = (device: GPUDevice, name: string, memory: Memory): Faults => {
  let released = false
  let lost: string | undefined
  let stray: string | undefined
  void device.lost.then(({ message, reason }) => {
    if (!released) lost = message === '' ? reason : message
  })
  device.addEventListener('uncapturederror', (event) => {
    stray ??= event.error.message
  })

  const refused = (because: string): E.Either<DeviceError, never> => E.left({ tag: 'commandRefused', device: name, because })
  const checkLost = (): E.Either<DeviceError, void> =>
    lost === undefined ? E.right(undefined) : E.left({ tag: 'deviceLost', device: name, because: lost })

  const check = (what: string): E.Either<DeviceError, void> => {
    if (released) return E.left({ tag: 'released', device: name, what })
    const earlier = stray
    stray = undefined // reported once: it may have nothing to do with what comes next
    return earlier === undefined ? checkLost() : refused(earlier)
  }

  const during = async <A>(commands: () => E.Either<DeviceError, Promise<A>>): Promise<E.Either<DeviceError, A>> => {
    const held = memory.bytes
    const { made, errors } = scoped(device, commands)
    const asked = memory.bytes - held
    const result: E.Either<DeviceError | string, A> = E.isLeft(made) ? made : await settled(made.right)
    // The first cause: without memory other commands are refused too, and without the device all are.
    const [outOfMemory, ...others] = await errors
    if (outOfMemory !== undefined) return E.left({ tag: 'exhausted', device: name, asked, held })
    const stillThere = checkLost()
    if (E.isLeft(stillThere)) return stillThere
    const because = others.find((message) => message !== undefined)
    if (because !== undefined) return refused(because)
    return E.isLeft(result) && typeof result.left === 'string' ? refused(result.left) : (result as E.Either<DeviceError, A>)
  }

  return { check, during, markReleased: () => void (released = true) }
}

interface Scoped<A> {
  readonly made: A
  /** The message of each scope's error, from the inside out: out of memory first. */
  readonly errors: Promise<readonly (string | undefined)[]>
}

const scoped = <A>(device: GPUDevice, commands: () => A): Scoped<A> => {
  for (const filter of filters) device.pushErrorScope(filter)
  // A lost device rejects; that it is lost is remembered.
  const pop = () =>
    Promise.all(
      filters.map(() =>
        device.popErrorScope().then(
          (error) => error?.message,
          () => undefined,
        ),
      ),
    )
  try {
    return { made: commands(), errors: pop() }
  } catch (bug) {
    void pop()
    throw bug
  }
}

const settled = async <A>(result: Promise<A>): Promise<E.Either<string, A>> => {
  try {
    return E.right(await result)
  } catch (cause) {
    await new Promise(setImmediate) // a loss is announced a moment after what it makes fail
    return E.left(String(cause))
  }
}
