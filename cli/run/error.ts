import type { AcquireError } from '../../backends/index.js'
import { renderAcquireError } from '../../backends/index.js'
import { report } from '../../dsl/index.js'
import { type CheckpointError, checkpointErrorLines } from '../../models/index.js'
import { renderRunFault, type RunFault } from '../../training/index.js'
import { type CommandError, renderCommandError } from '../errors.js'
import { type ConfigError, renderConfigError } from './config-error.js'
import { type NoRoom, renderNoRoom } from './room.js'

/** What keeps a run from starting, or ends it. */
export type RunCommandError =
  | CommandError
  | ConfigError
  | { readonly tag: 'fault'; readonly fault: RunFault }
  /** A policy that does not begin as it is told. */
  | { readonly tag: 'noInit'; readonly folder: string; readonly because: CheckpointError }
  | { readonly tag: 'noDevice'; readonly error: AcquireError }
  | NoRoom

const configTags: { readonly [T in ConfigError['tag']]: true } = {
  unknownKey: true,
  unknownTask: true,
  wrongValue: true,
  otherWords: true,
  notAConfig: true,
  twoLosses: true,
}

const isConfigError = (error: CommandError | ConfigError): error is ConfigError => error.tag in configTags

const noInit = (folder: string, because: CheckpointError): string => {
  const [what, why] = checkpointErrorLines(because)
  return report(
    `the policy to begin with, in ${folder}`,
    `${what}: ${why}`,
    `give --init a checkpoint of this task and model, or 'random' for a warm start from nothing`,
  )
}

/** Three lines for each fault. */
export const renderRunCommandError = (error: RunCommandError): string => {
  if (error.tag === 'fault') return renderRunFault(error.fault)
  if (error.tag === 'noDevice') return renderAcquireError(error.error)
  if (error.tag === 'noRoom') return renderNoRoom(error)
  if (error.tag === 'noInit') return noInit(error.folder, error.because)
  return isConfigError(error) ? renderConfigError(error) : renderCommandError(error)
}
