import { type Command, InvalidArgumentError } from 'commander'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { heldOutEpisodes } from '../../training/index.js'
import { positiveNumber } from '../arguments.js'
import { endPrinting } from './end.js'
import { type PolicyFlags, takingPolicy, withPolicy } from './policy.js'

interface SampleFlags extends PolicyFlags {
  readonly episodes: number
  readonly temperature: number
}

const temperatureOf = (text: string): number => {
  const x = Number(text)
  if (text.trim() === '' || !(x === 0 || (x >= 1e-6 && x <= 1e6)))
    throw new InvalidArgumentError('It must be 0, or a number from 1e-6 to 1e6.')
  return x
}

const partsText = (parts: Readonly<Record<string, number>>): string =>
  Object.entries(parts)
    .map(([name, x]) => `${name} ${String(x)}`)
    .join('  ')

const sampled = (folder: string, { episodes: count, temperature, ...flags }: SampleFlags): Promise<number> =>
  withPolicy(
    folder,
    flags,
  )(({ evaluation: { environment }, params, respond }) =>
    pipe(
      heldOutEpisodes(environment, respond, params)(count, temperature),
      TE.map((episodes) =>
        episodes.map(
          ({ state, reward: { value, parts } }) => `${environment.render(state)}\n  reward ${String(value)}  ${partsText(parts)}`,
        ),
      ),
    ),
  )().then(endPrinting((episodes) => episodes.join('\n')))

/** axgrad sample FOLDER: what does a policy say? */
export const addSample = (program: Command, ends: (code: number) => void): Command =>
  takingPolicy(program.command('sample'))
    .description('show what the policy of a run says to questions that it was never trained on')
    .option('--episodes <n>', 'how many', positiveNumber, 5)
    .option('--temperature <t>', 'of the draws; 0 takes the likeliest token', temperatureOf, 1)
    .addHelpText('after', '\nExample: axgrad sample runs/mine --temperature 0')
    .action(async (folder: string, flags: SampleFlags) => {
      ends(await sampled(folder, flags))
    })
