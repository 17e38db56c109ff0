import { report } from '../dsl/index.js'
import { exit } from './arguments.js'

/** What Node ends with where nothing is left to do but to wait for a module. */
const waitsForever = 13

/** A command's process that ends before the command does: a file of the user's made it, and it must not look as if all had gone well. */
export const cutShort = (args: readonly string[]): { readonly over: () => void } => {
  let isOver = false
  process.on('exit', (code) => {
    if (isOver || (code !== exit.passed && code !== waitsForever)) return
    process.exitCode = exit.failed
    console.error(
      report(
        ['axgrad', ...args].join(' '),
        `the process ended before the command did: a file that it loaded ends it, or waits for what never comes`,
        `look in that file for process.exit, and for an await outside of its functions`,
      ),
    )
  })
  return {
    over: () => {
      isOver = true
    },
  }
}
