import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Device } from './backend.js'

/**
 * Open a device, use it and release it, whatever happens. (`TE.bracket` would not release it if `use` rejected:
 * a bug would then hold a core, and perhaps the process.)
 */
export const withDevice =
  <E1>(open: TE.TaskEither<E1, Device>) =>
  <E2, A>(use: (device: Device) => TE.TaskEither<E2, A>): TE.TaskEither<E1 | E2, A> =>
    pipe(
      open,
      TE.chainW((device) => async () => {
        try {
          return await use(device)()
        } finally {
          await device.release()
        }
      }),
    )
