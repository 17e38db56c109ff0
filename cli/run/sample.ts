import { type Command, InvalidArgumentError, Option } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { deviceKinds } from '../../backends/index.js'
import { heldOutEpisodes } from '../../training/index.js'
import { exit, positiveNumber } from '../arguments.js'
import { renderErrors, type WhereFlags, withPolicy } from './policy.js'

interface SampleFlags extends WhereFlags {
  readonly episodes: number
  readonly temperature: number
}

const temperatureOf = (text: string): number => {
  const x = Number(text)
  if (text.trim() === '' || !(x >= 0 && x < Infinity)) throw new InvalidArgumentError('It must be a number of at least 0.')
  return x
}

const partsText = (parts: Readonly<Record<string, number>>): string =>
  Object.entries(parts)
    .map(([name, x]) => `${name} ${String(x)}`)
    .join('  ')

const sample = async (folder: string, flags: SampleFlags): Promise<number> => {
  const made = await withPolicy(
    folder,
    flags,
  )(({ prepared: { plan }, params, respond }) =>
    pipe(
      heldOutEpisodes(plan.environment, respond, params)(flags.episodes, flags.temperature),
      TE.map((episodes) => episodes.map(({ state, reward }) => ({ reward, text: plan.environment.render(state) }))),
    ),
  )()
  if (E.isLeft(made)) {
    console.error(renderErrors(made.left))
    return exit.badUsage
  }
  for (const { text, reward } of made.right) console.log(`${text}\n  reward ${String(reward.value)}  ${partsText(reward.parts)}`)
  return exit.passed
}

/** axgrad sample FOLDER: what does a policy say? */
export const addSample = (program: Command, ends: (code: number) => void): Command =>
  program
    .command('sample')
    .description('show what the policy of a run says to questions that it was never trained on')
    .argument('<folder>', 'the folder of a run')
    .option('--episodes <n>', 'how many', positiveNumber, 5)
    .option('--temperature <t>', 'of the draws; 0 takes the likeliest token', temperatureOf, 1)
    .addOption(new Option('--device <kind>', 'where to run; where the run ran unless said').choices(deviceKinds))
    .option('--threads <n>', 'how many threads of the processor to use', positiveNumber)
    .addHelpText('after', '\nExample: axgrad sample runs/mine --temperature 0')
    .action(async (folder: string, flags: SampleFlags) => {
      ends(await sample(folder, flags))
    })
