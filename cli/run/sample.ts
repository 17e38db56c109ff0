import { type Command, InvalidArgumentError } from 'commander'
import { pipe } from 'fp-ts/lib/function.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { heldOutEpisodes, type Trajectory } from '../../training/index.js'
import { positiveNumber } from '../arguments.js'
import { endPrinting } from './end.js'
import { type PolicyFlags, takingPolicy, withPolicy } from './policy.js'
import type { AnyEnvironment } from './tasks.js'

interface SampleFlags extends PolicyFlags {
  readonly episodes: number
  readonly temperature: number
  readonly json?: true
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

type Show = (environment: AnyEnvironment) => (episode: Trajectory<unknown>) => unknown

/** For people. */
const asText: Show =
  ({ render }) =>
  ({ state, reward: { value, parts } }) =>
    `${render(state)}\n  reward ${String(value)}  ${partsText(parts)}`

/** For a machine: the same text, what was paid for it, and each turn word by word, with log π of what was written, in nats at temperature 1. */
const asJson: Show = ({ render, vocabulary }) => {
  const wordOf = (id: number): string => vocabulary[id] ?? `<${String(id)}>`
  return ({ state, reward, turns }) => ({
    ...{ text: render(state), reward },
    turns: turns.map(({ context, answer: { ids, logProbs }, kinds }) => ({
      read: context.map(wordOf),
      written: ids.map((id, i) => ({ word: wordOf(id), kind: kinds[i], logProb: logProbs[i] })),
    })),
  })
}

const sampled = (folder: string, { episodes: count, temperature, json, ...flags }: SampleFlags): Promise<number> => {
  const show = json === true ? asJson : asText
  return withPolicy(
    folder,
    flags,
  )(({ evaluation: { environment }, params, respond }) =>
    pipe(heldOutEpisodes(environment, respond, params)(count, temperature), TE.map(RA.map(show(environment)))),
  )().then(endPrinting((episodes) => (json === true ? JSON.stringify(episodes, null, 2) : episodes.join('\n'))))
}

/** axgrad sample FOLDER: what does a policy say? */
export const addSample = (program: Command, ends: (code: number) => void): Command =>
  takingPolicy(program.command('sample'))
    .description('show what the policy of a run says to questions that it was never trained on')
    .option('--episodes <n>', 'how many', positiveNumber, 5)
    .option('--temperature <t>', 'of the draws; 0 takes the likeliest token', temperatureOf, 1)
    .option('--json', 'print the episodes as JSON, turn by turn and word by word')
    .addHelpText('after', '\nExample: axgrad sample runs/mine --temperature 0')
    .action(async (folder: string, flags: SampleFlags) => {
      ends(await sampled(folder, flags))
    })
