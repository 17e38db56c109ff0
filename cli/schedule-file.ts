import { readFile } from 'node:fs/promises'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { z } from 'zod'
import { type Schedules, type Tried, type TunedDevice, usualSchedules } from '../backends/webgpu/index.js'
import type { Tiling } from '../compiler/index.js'
import type { CommandError } from './errors.js'

/** What `axgrad tune` writes, and --schedules reads. */
export type ScheduleFile = Pick<TunedDevice, 'deviceClass' | 'adapter'> & Tried

const side = z.int().min(1).max(16)

const sides = z.strictObject({ outer: side, inner: side })

const schema = z.strictObject({
  deviceClass: z.enum(['software', 'hardware']),
  adapter: z.string().min(1),
  tiling: z.strictObject({
    tile: sides,
    whole: sides.optional(),
    shares: z.strictObject({ lanes: side, depth: z.int().min(1).max(64) }).optional(),
  }),
  rowLanes: z.union([4, 8, 16, 32, 64, 128, 256].map((lanes) => z.literal(lanes))).optional(),
})

export const scheduleText = ({ deviceClass, adapter, tiling, rowLanes }: ScheduleFile): string =>
  `${JSON.stringify({ deviceClass, adapter, tiling, rowLanes }, null, 2)}\n`

const scheduleIn = (file: string, value: unknown): E.Either<CommandError, ScheduleFile> => {
  const parsed = schema.safeParse(value)
  if (parsed.success) {
    const { tiling, rowLanes, ...device } = parsed.data
    const { tile, whole, shares } = tiling
    const read: Tiling = { tile, ...(whole && { whole }), ...(shares && { shares }) }
    return E.right({ ...device, tiling: read, ...(rowLanes !== undefined && { rowLanes }) })
  }
  const [issue] = parsed.error.issues
  const path = issue?.path.join('.') ?? ''
  return E.left({ tag: 'badSchedules', file, because: `${path === '' ? 'the whole' : `'${path}'`}: ${issue?.message ?? ''}` })
}

export const readScheduleFile = (file: string): TE.TaskEither<CommandError, ScheduleFile> =>
  pipe(
    TE.tryCatch(
      async () => JSON.parse(await readFile(file, 'utf8')) as unknown,
      (error): CommandError => ({ tag: 'badSchedules', file, because: E.toError(error).message }),
    ),
    TE.flatMapEither((value) => scheduleIn(file, value)),
  )

/** The usual schedules but for what the file says. */
export const schedulesOf = ({ deviceClass, tiling, rowLanes }: ScheduleFile): Schedules => {
  const { rowLanes: _, ...usual } = usualSchedules[deviceClass]
  return { ...usualSchedules, [deviceClass]: { ...usual, tiling, ...(rowLanes !== undefined && { rowLanes }) } }
}
