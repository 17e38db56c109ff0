import { type Command, Option } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import { cotangentOf, cotangents } from '../autodiff/index.js'
import { plan } from '../compiler/index.js'
import {
  type AnyTensor,
  build,
  isTensor,
  leaves,
  type Program,
  program,
  programErrors,
  renderProgramError,
  typeText,
} from '../dsl/index.js'
import { exit } from './arguments.js'
import { type AnyLoss, loadLosses, tracing } from './load.js'
import type { CommandError } from './errors.js'
import { refuse } from './refuse.js'
import { type Stage, stages } from './stages.js'

type AnyProgram = Program<unknown, unknown, unknown>

/** The program of a loss and of its gradient by each float input. */
const withGradient = ({ name, inputs, loss }: AnyLoss): E.Either<CommandError, AnyProgram> => {
  let is = ''
  const whole = program({
    inputs: inputs as Readonly<Record<string, never>>,
    body: (given) => {
      const y: AnyTensor = loss(given)
      is = typeText(y)
      const sources = leaves(isTensor)(given).filter(({ value }) => value.dtype === 'f32')
      const flow = cotangents(
        [[y, build.filled(1, y)]],
        sources.map(({ value }) => value),
      )
      return { outputs: { loss: y, gradient: Object.fromEntries(sources.map(({ path, value }) => [path, cotangentOf(flow, value)])) } }
    },
  })
  return is === 'f32[]' || programErrors(whole).length > 0 ? E.right(whole) : E.left({ tag: 'notScalar', name, is })
}

/** The stages by these titles, all if there are none. */
const chosen = (titles: readonly string[]): readonly Stage[] =>
  titles.length === 0 ? stages : stages.filter(({ title }) => titles.includes(title))

const shown = (titles: readonly string[], name: string, whole: AnyProgram): E.Either<string, string> =>
  pipe(
    plan(whole),
    E.bimap(
      (errors) => errors.map(renderProgramError).join('\n'),
      (planned) => [name, ...chosen(titles).map(({ title, text }) => `\n## ${title}\n\n${text(whole, planned)}`)].join('\n'),
    ),
  )

const inspect = async (file: string, only: string | undefined, titles: readonly string[]): Promise<number> => {
  const losses = await loadLosses(file, only)()
  if (E.isLeft(losses)) return refuse(losses.left)
  const { left: refusals, right: programs } = RA.partitionMap((loss: AnyLoss) =>
    pipe(
      tracing(loss, () => withGradient(loss)),
      E.flatten,
      E.map((whole) => ({ name: loss.name, whole })),
    ),
  )(losses.right)
  const texts = programs.map(({ name, whole }) => shown(titles, name, whole))
  for (const text of texts) E.match(console.error, console.log)(text)
  return Math.max(...refusals.map(refuse), texts.every(E.isRight) ? exit.passed : exit.failed)
}

/** axgrad inspect LOSS.ts: what does it become? */
export const addInspect = (program: Command, ends: (code: number) => void): Command =>
  program
    .command('inspect')
    .description('show what each loss that a file exports becomes')
    .argument('<file>', 'a TypeScript or JavaScript file that exports losses made by defineLoss')
    .option('--only <name>', 'show only the loss of this name')
    .addOption(new Option('--stage <titles...>', 'show only these stages, in their order').choices(stages.map(({ title }) => title)))
    .addHelpText(
      'after',
      `\nStages:\n${stages.map(({ title, shows }) => `  ${title.padEnd(10)} ${shows}`).join('\n')}\n\nExample: axgrad inspect loss.ts --stage groups wgsl`,
    )
    .action(async (file: string, { only, stage = [] }: { readonly only?: string; readonly stage?: readonly string[] }) => {
      ends(await inspect(file, only, stage))
    })
