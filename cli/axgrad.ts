import { Command, CommanderError } from 'commander'
import { exit } from './arguments.js'
import { addCheck } from './check.js'
import { addDoctor } from './doctor.js'
import { addInspect } from './inspect.js'
import { addNew } from './new/command.js'
import { addReport } from './report/command.js'
import { addEval } from './run/eval.js'
import { addSample } from './run/sample.js'
import { addTrain } from './run/train.js'
import { addTune } from './tune.js'
import { usageText } from './usage.js'

/** A fault of the command line is thrown, not exited for, and is said as every other fault is. */
const strict = (command: Command): Command =>
  command.exitOverride().configureOutput({
    outputError: (said, write) => {
      write(usageText(['axgrad', command.name()].slice(command.parent === null ? 1 : 0).join(' '), said))
    },
  })

const exitCodes = `
Exit codes:
  0    it did what it was asked
  1    it found a fault: a wrong gradient, a loss that cannot be planned, a step that failed
  2    it was asked for something that there is not: a flag, a file, a setting
  130  it was stopped by Ctrl-C, and what it did is saved`

/** What the command `axgrad` does with these arguments: the code that it ends with. */
export const axgrad = async (args: readonly string[]): Promise<number> => {
  let code: number = exit.passed
  const ends = (how: number): void => {
    code = how
  }
  const program = new Command('axgrad')
    .description('A tensor language with its own derivative, for people who invent losses')
    .addHelpText('after', exitCodes)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: (text) => console.log(text.trimEnd()), writeErr: (text) => console.error(text.trimEnd()) })
  addCheck(program, ends)
  addInspect(program, ends)
  addDoctor(program, ends)
  addTune(program, ends)
  addTrain(program, ends)
  addEval(program, ends)
  addSample(program, ends)
  addReport(program, ends)
  addNew(program, ends)
  for (const command of [program, ...program.commands]) strict(command)
  try {
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? exit.passed : exit.badUsage
  }
}
