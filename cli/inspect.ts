import type { Command } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { cotangentOf, cotangents } from '../autodiff/index.js'
import {
  type AnyTensor,
  build,
  graphErrors,
  isTensor,
  leaves,
  printProgram,
  type Program,
  program,
  renderGraphError,
} from '../dsl/index.js'
import { exit } from './arguments.js'
import { renderCommandError } from './errors.js'
import { type AnyLoss, loadLosses } from './load.js'

type AnyProgram = Program<unknown, unknown, unknown>

/** One reading of a program, under its heading. */
interface Section {
  readonly title: string
  readonly text: (p: AnyProgram) => string
}

/** What `inspect` shows, in order: each stage adds its own. */
const sections: readonly Section[] = [{ title: 'graph', text: printProgram }]

/** The program of a loss and of its gradient by each float input. */
const withGradient = ({ inputs, loss }: AnyLoss): AnyProgram =>
  program({
    inputs: inputs as Readonly<Record<string, never>>,
    body: (given) => {
      const y: AnyTensor = loss(given)
      const sources = leaves(isTensor)(given).filter(({ value }) => value.dtype === 'f32')
      const flow = cotangents(
        [[y, build.filled(1, y)]],
        sources.map(({ value }) => value),
      )
      return { outputs: { loss: y, gradient: Object.fromEntries(sources.map(({ path, value }) => [path, cotangentOf(flow, value)])) } }
    },
  })

const inspectOne = (loss: AnyLoss): E.Either<string, string> => {
  const whole = withGradient(loss)
  const errors = graphErrors(whole)
  return errors.length > 0
    ? E.left(errors.map(renderGraphError).join('\n'))
    : E.right([loss.name, ...sections.map(({ title, text }) => `\n## ${title}\n\n${text(whole)}`)].join('\n'))
}

const inspect = async (file: string, only: string | undefined): Promise<number> => {
  const losses = await loadLosses(file, only)()
  if (E.isLeft(losses)) {
    console.error(renderCommandError(losses.left))
    return exit.badUsage
  }
  const shown = losses.right.map(inspectOne)
  for (const text of shown) E.match(console.error, console.log)(text)
  return shown.every(E.isRight) ? exit.passed : exit.failed
}

/** axgrad inspect LOSS.ts: what does it become? */
export const addInspect = (program: Command): Command =>
  program
    .command('inspect')
    .description('show what each loss that a file exports becomes')
    .argument('<file>', 'a TypeScript or JavaScript file that exports losses made by defineLoss')
    .option('--only <name>', 'show only the loss of this name')
    .action(async (file: string, { only }: { readonly only?: string }) => {
      process.exitCode = await inspect(file, only)
    })
