import { exit } from './arguments.js'
import { type CommandError, renderCommandError } from './errors.js'

/** Say why a command does not start, and give the code that it ends with. */
export const refuse = (error: CommandError): number => {
  console.error(renderCommandError(error))
  return exit.badUsage
}
