import { type Command, Option } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import { cotangentOf, cotangents } from '../autodiff/index.js'
import { type Plan, plan } from '../compiler/index.js'
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
import { draw } from './draw.js'
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

interface InspectFlags {
  readonly only?: string
  readonly stage?: readonly string[]
  readonly draw?: string
}

interface Named {
  readonly name: string
  readonly whole: AnyProgram
}

const named = (loss: AnyLoss): E.Either<CommandError, Named> =>
  pipe(
    tracing(loss, () => withGradient(loss)),
    E.flatten,
    E.map((whole) => ({ name: loss.name, whole })),
  )

/** The plan of a program, or all that is wrong with it, to read. */
const planned = (whole: AnyProgram): E.Either<string, Plan> =>
  pipe(
    plan(whole),
    E.mapLeft((errors) => errors.map(renderProgramError).join('\n')),
  )

const print = (programs: readonly Named[], titles: readonly string[]): number => {
  const texts = programs.map(({ name, whole }) =>
    E.map((made: Plan) => [name, ...chosen(titles).map(({ title, text }) => `\n## ${title}\n\n${text(whole, made)}`)].join('\n'))(
      planned(whole),
    ),
  )
  for (const text of texts) E.match(console.error, console.log)(text)
  return texts.every(E.isRight) ? exit.passed : exit.failed
}

/** The stage that is drawn: the only one that is chosen, else the groups. */
const drawnStage = (titles: readonly string[]): E.Either<CommandError, NonNullable<Stage['dot']>> => {
  const has = stages.filter(({ dot }) => dot !== undefined).map(({ title }) => title)
  const [title = 'groups', ...more] = titles
  const dot = stages.find((stage) => stage.title === title)?.dot
  return dot === undefined || more.length > 0 ? E.left({ tag: 'noDrawing', stages: titles, has }) : E.right(dot)
}

const drawInto = async (file: string, [one]: readonly Named[], titles: readonly string[]): Promise<number> => {
  if (one === undefined) return exit.passed // it has been refused
  const stage = drawnStage(titles)
  if (E.isLeft(stage)) return refuse(stage.left)
  const made = planned(one.whole)
  if (E.isLeft(made)) {
    console.error(made.left)
    return exit.failed
  }
  return E.match(refuse, () => exit.passed)(await draw(file, stage.right(one.whole, made.right))())
}

const inspect = async (file: string, { only, stage: titles = [], draw: drawing }: InspectFlags): Promise<number> => {
  const losses = await loadLosses(file, only)()
  if (E.isLeft(losses)) return refuse(losses.left)
  if (drawing !== undefined && losses.right.length > 1)
    return refuse({ tag: 'severalLosses', asked: '--draw', file, has: losses.right.map(({ name }) => name) })
  const { left: refusals, right: programs } = RA.partitionMap(named)(losses.right)
  const code = drawing === undefined ? print(programs, titles) : await drawInto(drawing, programs, titles)
  return Math.max(code, ...refusals.map(refuse))
}

/** axgrad inspect LOSS.ts: what does it become? */
export const addInspect = (program: Command, ends: (code: number) => void): Command =>
  program
    .command('inspect')
    .description('show what each loss that a file exports becomes')
    .argument('<file>', 'a file that exports losses made by defineLoss, or the name of one of the library, as grpo')
    .option('--only <name>', 'show only the loss of this name')
    .addOption(new Option('--stage <titles...>', 'show only these stages, in their order').choices(stages.map(({ title }) => title)))
    .option(
      '--draw <file>',
      'draw the kernels and what each computes into a .svg or .dot file, or the graph with --stage graph or canonical',
    )
    .addHelpText(
      'after',
      `\nStages:\n${stages.map(({ title, shows }) => `  ${title.padEnd(10)} ${shows}`).join('\n')}\n\nExample: axgrad inspect loss.ts --stage groups wgsl`,
    )
    .action(async (file: string, flags: InspectFlags) => {
      ends(await inspect(file, flags))
    })
