import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { DeviceKind, Precision } from '../../backends/index.js'
import type { Draft } from './defaults.js'
import { defined } from './defined.js'

/** What `axgrad train` is told on its command line. */
export interface TrainFlags {
  readonly algorithm?: string
  readonly loss?: string
  readonly only?: string
  readonly task?: string
  readonly init?: string
  readonly device?: DeviceKind
  readonly seed?: number
  readonly steps?: number
  readonly threads?: number
  readonly strict?: true
  readonly precision?: Precision
  readonly quick?: true
  readonly out?: string
  readonly resume?: string
  readonly schedules?: string
}

/** The whole path of a file that is named from one of some folders, so that it is found from any; a name that is none of a file as it is. */
export const foundFrom = (file: string, ...folders: readonly string[]): string =>
  folders.map((folder) => resolve(folder, file)).find((path) => existsSync(path)) ?? file

/** What flags say of a config. */
export const draftOf = ({ algorithm, loss, only, task, init, device, seed, steps, threads, strict, precision }: TrainFlags): Draft =>
  defined({
    ...{ init, device, seed, threads, strict, precision },
    ...(task !== undefined && { task: { name: task } }),
    reinforcement: defined({ algorithm, lossFile: loss === undefined ? undefined : foundFrom(loss, '.'), lossName: only, steps }),
  })
