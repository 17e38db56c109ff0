import { type Command, Option } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { deviceKinds } from '../../backends/index.js'
import { evaluate } from '../../training/index.js'
import { exit, positiveNumber } from '../arguments.js'
import { renderErrors, type WhereFlags, withPolicy } from './policy.js'
import { closingText } from './text.js'

interface EvalFlags extends WhereFlags {
  readonly questions?: number
  readonly json?: true
}

const evaluateRun = async (folder: string, flags: EvalFlags): Promise<number> => {
  const made = await withPolicy(
    folder,
    flags,
  )(({ prepared: { plan }, progress: { step }, params, respond }) => {
    const { questions, temperature } = plan.evaluation
    return evaluate(plan.environment, respond)(params, { questions: flags.questions ?? questions, temperature, step })
  })()
  if (E.isLeft(made)) {
    console.error(renderErrors(made.left))
    return exit.badUsage
  }
  console.log(flags.json === true ? JSON.stringify(made.right, null, 2) : closingText([made.right]))
  return exit.passed
}

/** axgrad eval FOLDER: how good has a policy become? */
export const addEval = (program: Command, ends: (code: number) => void): Command =>
  program
    .command('eval')
    .description('ask the policy of a run questions that it was never trained on, always the same')
    .argument('<folder>', 'the folder of a run')
    .option('--questions <n>', 'how many; as many as the run asked unless said', positiveNumber)
    .addOption(new Option('--device <kind>', 'where to run; where the run ran unless said').choices(deviceKinds))
    .option('--threads <n>', 'how many threads of the processor to use', positiveNumber)
    .option('--json', 'print what was measured as JSON')
    .addHelpText('after', '\nExample: axgrad eval runs/mine --questions 1000')
    .action(async (folder: string, flags: EvalFlags) => {
      ends(await evaluateRun(folder, flags))
    })
