import { Command, CommanderError } from 'commander'
import { exit } from './arguments.js'
import { addCheck } from './check.js'
import { addDoctor } from './doctor.js'
import { addInspect } from './inspect.js'
import { addReport } from './report/command.js'
import { addEval } from './run/eval.js'
import { addSample } from './run/sample.js'
import { addTrain } from './run/train.js'

/** What the command `axgrad` does with these arguments: the code that it ends with. */
export const axgrad = async (args: readonly string[]): Promise<number> => {
  let code: number = exit.passed
  const ends = (how: number): void => {
    code = how
  }
  const program = new Command('axgrad')
    .description('A tensor language with its own derivative, for people who invent losses')
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: (text) => console.log(text.trimEnd()), writeErr: (text) => console.error(text.trimEnd()) })
  addCheck(program, ends)
  addInspect(program, ends)
  addDoctor(program, ends)
  addTrain(program, ends)
  addEval(program, ends)
  addSample(program, ends)
  addReport(program, ends)
  for (const command of program.commands) command.exitOverride()
  try {
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? exit.passed : exit.badUsage
  }
}
