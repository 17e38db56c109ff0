import type { Command } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type * as Verify from '../verify/index.js'
import type { Report } from '../verify/index.js'
import { exit, positiveNumber, range, shellWord, shrinkPath, sizeOfAxis, wholeNumber } from './arguments.js'
import type { CommandError } from './errors.js'
import { type AnyLoss, loadLosses, tracing } from './load.js'
import { refuse } from './refuse.js'

interface CheckFlags {
  readonly runs: number
  readonly seed: number
  readonly path?: string
  readonly only?: string
  readonly size: Readonly<Record<string, number>>
  readonly range: Readonly<Record<string, readonly [number, number]>>
  readonly json?: true
}

/** fast-check is the user's to install: it is asked for when it is needed. */
const loadVerify = async (): Promise<E.Either<CommandError, typeof Verify>> => {
  try {
    return E.right(await import('../verify/index.js'))
  } catch (error) {
    if (error instanceof Error && error.message.includes("'fast-check'")) return E.left({ tag: 'noFastCheck' })
    throw error
  }
}

/** The command that repeats this check of one loss. */
const commandOf = (file: string, name: string, only: boolean, flags: CheckFlags): string =>
  [
    ...['npx', 'axgrad', 'check', file],
    ...(only ? ['--only', name] : []),
    ...Object.entries(flags.size).flatMap(([axis, size]) => ['--size', `${axis}=${String(size)}`]),
    ...Object.entries(flags.range).flatMap(([input, [low, high]]) => ['--range', `${input}=${String(low)},${String(high)}`]),
  ]
    .map(shellWord)
    .join(' ')

const checkOne =
  ({ checkGradient }: typeof Verify, file: string, several: boolean, flags: CheckFlags) =>
  (loss: AnyLoss): E.Either<CommandError, Report> =>
    tracing(loss, () =>
      checkGradient(loss, {
        runs: flags.runs,
        seed: flags.seed,
        ranges: flags.range,
        sizes: flags.size,
        command: commandOf(file, loss.name, several, flags),
        ...(flags.path === undefined ? {} : { path: flags.path }),
      }),
    )

/** JSON has no NaN and no ∞: they are written as words. */
const asJson = (reports: readonly Report[]): string =>
  JSON.stringify(reports, (_, value: unknown) => (typeof value === 'number' && !Number.isFinite(value) ? String(value) : value), 2)

const check = async (file: string, flags: CheckFlags): Promise<number> => {
  const losses = await loadLosses(file, flags.only)()
  if (E.isLeft(losses)) return refuse(losses.left)
  const verify = await loadVerify()
  if (E.isLeft(verify)) return refuse(verify.left)
  const { left: refusals, right: reports } = RA.separate(
    losses.right.map(checkOne(verify.right, file, flags.only !== undefined || losses.right.length > 1, flags)),
  )
  if (flags.json === true) console.log(asJson(reports))
  else if (reports.length > 0) console.log(reports.map(verify.right.renderReport).join('\n\n'))
  return Math.max(...refusals.map(refuse), reports.every(({ failure }) => failure === undefined) ? exit.passed : exit.failed)
}

/** axgrad check LOSS.ts: is the gradient right, and where does it flow? */
export const addCheck = (program: Command, ends: (code: number) => void): Command =>
  program
    .command('check')
    .description('compare the gradient of each loss that a file exports with differences')
    .argument('<file>', 'a file that exports losses made by defineLoss, or the name of one of the library, as grpo')
    .option('--runs <n>', 'how many samples to compare', positiveNumber, 100)
    .option('--seed <n>', 'another seed, other samples', wholeNumber, 1)
    .option('--path <path>', 'with its seed: the counterexample of an earlier report', shrinkPath)
    .option('--only <name>', 'check only the loss of this name')
    .option('--range <input=low,high>', 'where the values of an input lie; may be repeated', range, {})
    .option('--size <axis=n>', 'the size of an open axis; may be repeated', sizeOfAxis, {})
    .option('--json', 'print the reports as JSON')
    .addHelpText('after', '\nExample: axgrad check loss.ts --runs 300 --size batch=4 --range logProbs=-5,0')
    .action(async (file: string, flags: CheckFlags) => {
      ends(await check(file, flags))
    })
