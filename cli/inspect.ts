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
import type { Reading } from './drawing-page.js'
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
  readonly out?: string
  readonly json?: true
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

const readings = ({ whole }: Named, made: Plan, titles: readonly string[]): readonly Reading[] =>
  chosen(titles).map(({ title, shows, text }) => ({ title, shows, text: text(whole, made) }))

const asText = ({ name }: Named, read: readonly Reading[]): string =>
  [name, ...read.map(({ title, text }) => `\n## ${title}\n\n${text}`)].join('\n')

const asJson = (programs: readonly Named[], read: readonly (readonly Reading[])[]): string =>
  JSON.stringify(
    programs.map(({ name }, i) => ({ name, stages: Object.fromEntries((read[i] ?? []).map(({ title, text }) => [title, text])) })),
    null,
    2,
  )

const print = (programs: readonly Named[], { stage: titles = [], json }: InspectFlags): number => {
  const { left: faults, right: made } = RA.partitionMap((one: Named) =>
    pipe(
      planned(one.whole),
      E.map((whole) => ({ one, read: readings(one, whole, titles) })),
    ),
  )(programs)
  for (const fault of faults) console.error(fault)
  if (json === true)
    console.log(asJson(made.map(({ one }) => one), made.map(({ read }) => read))) // prettier-ignore
  else for (const { one, read } of made) console.log(asText(one, read))
  return faults.length === 0 ? exit.passed : exit.failed
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
  const drawing = { name: one.name, dot: stage.right(one.whole, made.right), readings: readings(one, made.right, []) }
  return E.match(refuse, () => exit.passed)(await draw(file, drawing)())
}

const inspect = async (file: string, flags: InspectFlags): Promise<number> => {
  const { only, stage: titles = [], out } = flags
  const losses = await loadLosses(file, only)()
  if (E.isLeft(losses)) return refuse(losses.left)
  if (out !== undefined && losses.right.length > 1)
    return refuse({ tag: 'severalLosses', asked: '--out', file, has: losses.right.map(({ name }) => name) })
  const { left: refusals, right: programs } = RA.partitionMap(named)(losses.right)
  const code = out === undefined ? print(programs, flags) : await drawInto(out, programs, titles)
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
    .addOption(new Option('--json', 'print the stages as JSON').conflicts('out'))
    .option(
      '--out <file>',
      'draw the kernels into a .svg, .html or .dot file, or the graph with --stage graph or canonical; .html has every stage',
    )
    .addHelpText(
      'after',
      `\nStages:\n${stages.map(({ title, shows }) => `  ${title.padEnd(10)} ${shows}`).join('\n')}\n\nExample: axgrad inspect loss.ts --stage groups wgsl`,
    )
    .action(async (file: string, flags: InspectFlags) => {
      ends(await inspect(file, flags))
    })
