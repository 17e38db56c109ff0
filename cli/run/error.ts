import type { AcquireError } from '../../backends/index.js'
import { renderAcquireError } from '../../backends/index.js'
import { renderRunFault, type RunFault } from '../../training/index.js'
import { type CommandError, renderCommandError } from '../errors.js'
import { type ConfigError, renderConfigError } from './config-error.js'

/** What keeps a run from starting, or ends it. */
export type RunCommandError =
  | CommandError
  | ConfigError
  | { readonly tag: 'fault'; readonly fault: RunFault }
  | { readonly tag: 'noDevice'; readonly error: AcquireError }

const configTags: { readonly [T in ConfigError['tag']]: true } = {
  unknownKey: true,
  unknownTask: true,
  wrongValue: true,
  notAConfig: true,
  twoLosses: true,
}

const isConfigError = (error: CommandError | ConfigError): error is ConfigError => error.tag in configTags

/** Three lines for each fault. */
export const renderRunCommandError = (error: RunCommandError): string => {
  if (error.tag === 'fault') return renderRunFault(error.fault)
  if (error.tag === 'noDevice') return renderAcquireError(error.error)
  return isConfigError(error) ? renderConfigError(error) : renderCommandError(error)
}
