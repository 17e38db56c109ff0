import type { Command } from 'commander'
import { evaluate } from '../../training/index.js'
import { positiveNumber } from '../arguments.js'
import { endPrinting } from './end.js'
import { type PolicyFlags, takingPolicy, withPolicy } from './policy.js'
import { closingText } from './text.js'

interface EvalFlags extends PolicyFlags {
  readonly questions?: number
  readonly json?: true
}

const evaluated = (folder: string, { questions, json, ...flags }: EvalFlags): Promise<number> =>
  withPolicy(
    folder,
    flags,
  )(({ evaluation: { environment, ...evaluation }, progress: { step }, params, respond }) =>
    evaluate(environment, respond)(params, { ...evaluation, ...(questions !== undefined && { questions }), step }),
  )().then(endPrinting((made) => (json === true ? JSON.stringify(made, null, 2) : closingText([made]))))

/** axgrad eval FOLDER: how good has a policy become? */
export const addEval = (program: Command, ends: (code: number) => void): Command =>
  takingPolicy(program.command('eval'))
    .description('ask the policy of a run questions that it was never trained on, always the same')
    .option('--questions <n>', 'how many; as many as the run asked unless said', positiveNumber)
    .option('--json', 'print what was measured as JSON')
    .addHelpText('after', '\nExample: axgrad eval runs/mine --questions 1000')
    .action(async (folder: string, flags: EvalFlags) => {
      ends(await evaluated(folder, flags))
    })
