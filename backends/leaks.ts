import type * as T from 'fp-ts/lib/Task.js'
import type { Device, DeviceTensor } from './backend.js'

/** What a task gave, and the tensors that the device holds after it and did not hold before. */
export interface Left<A> {
  readonly result: A
  readonly left: readonly DeviceTensor[]
}

/**
 * Do a task and say which tensors it left on the device, those that it gives its caller among them. A test of what drops all that it holds
 * expects none: `expect((await leftBy(device)(task)()).left).toEqual([])`.
 */
export const leftBy =
  (device: Device) =>
  <A>(task: T.Task<A>): T.Task<Left<A>> =>
  async () => {
    const before = new Set(device.holds().map(({ handle }) => handle))
    const result = await task()
    return { result, left: device.holds().filter(({ handle }) => !before.has(handle)) }
  }
