import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { Option } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Device, type DeviceKind, deviceKinds, openDevice } from '../../backends/index.js'
import {
  beginRun,
  disk,
  type Evaluation,
  live,
  recorded,
  type Recording,
  renderWarning,
  type Resumed,
  resumeRun,
  writeRunConfig,
  type RunEnd,
  type RunEvent,
  type RunFault,
  type RunFolderError,
  stepsOf,
  warningsOf,
} from '../../training/index.js'
import { exit, positiveNumber, shellWord, wholeNumber } from '../arguments.js'
import { readConfigFile } from './config-file.js'
import { configOf, firstDifference } from './config.js'
import { type Draft, isDraft } from './defaults.js'
import { defined } from './defined.js'
import { renderRunCommandError, type RunCommandError } from './error.js'
import { inFolder, openRun } from './folder.js'
import { initialOf } from './initial.js'
import { paceOf } from './pace.js'
import { type Prepared, prepareRun } from './plan.js'
import { type RunConfig, taskSchemas } from './schema.js'
import { type Show, showOn } from './show.js'
import { closingText, evaluationText, startText, stepText } from './text.js'
import { versions } from './versions.js'

interface TrainFlags {
  readonly algorithm?: string
  readonly loss?: string
  readonly task?: string
  readonly init?: string
  readonly device?: DeviceKind
  readonly seed?: number
  readonly steps?: number
  readonly threads?: number
  readonly strict?: true
  readonly quick?: true
  readonly out?: string
  readonly resume?: string
}

type Errors = NonEmptyArray<RunCommandError>

const draftOf = ({ algorithm, loss, task, init, device, seed, steps, threads, strict }: TrainFlags): Draft =>
  defined({
    ...{ init, device, seed, threads, strict },
    ...(task !== undefined && { task: { name: task } }),
    reinforcement: defined({ algorithm, lossFile: loss, steps }),
  })

const told = (file: string | undefined, flags: TrainFlags): TE.TaskEither<Errors, readonly Draft[]> => {
  if (flags.algorithm !== undefined && flags.loss !== undefined) return TE.left([{ tag: 'twoLosses' }])
  return pipe(
    file === undefined ? TE.right<RunCommandError, Draft>({}) : readConfigFile(file),
    TE.mapLeft((error): Errors => [error]),
    TE.filterOrElse(
      ({ reinforcement }) => flags.algorithm === undefined || !isDraft(reinforcement) || reinforcement['lossFile'] === undefined,
      (): Errors => [{ tag: 'twoLosses' }],
    ),
    TE.map((draft) => [draft, draftOf(flags)]),
  )
}

/** Why a run is not the one to go on with. It may go further, write more or less, and run elsewhere if that rounds alike. */
const unlike = (before: RunConfig, now: RunConfig): RunFolderError | undefined => {
  const kept = (config: RunConfig): unknown => ({
    ...config,
    ...{ device: '', strict: false, threads: 0, checkpoint: 0, transcripts: 0 },
    reinforcement: { ...config.reinforcement, steps: 0 },
    evaluation: { ...config.evaluation, every: 0 },
  })
  const found = firstDifference(kept(before), kept(now))
  return (
    found && {
      tag: 'differs',
      what: `'${found.path}'`,
      run: found.left,
      asked: found.right,
      attempt: `leave it as it was, or begin a new run with --out`,
    }
  )
}

/** The config of a run to begin or to go on with. */
const configFor = (file: string | undefined, flags: TrainFlags): TE.TaskEither<Errors, RunConfig> =>
  pipe(
    told(file, flags),
    TE.flatMap((drafts): TE.TaskEither<Errors, RunConfig> => {
      if (flags.resume === undefined) return TE.fromEither(configOf(drafts, flags.quick === true))
      return pipe(
        openRun(flags.resume),
        TE.bindTo('before'),
        TE.bindW('now', ({ before }) => TE.fromEither(configOf([before as unknown as Draft, ...drafts], false))),
        TE.flatMap(({ before, now }): TE.TaskEither<Errors, RunConfig> => {
          const error = unlike(before, now)
          return error === undefined ? TE.right(now) : TE.left(inFolder(error))
        }),
      )
    }),
  )

const originOf = ({ config }: Prepared, device: Device) => ({
  seed: config.seed,
  adapter: device.facts.adapter,
  fma: device.facts.features.includes('relaxed-simd'),
})

type Origin = ReturnType<typeof originOf>

/** A new folder, or what is to be resumed of an old one. */
const folderFor = (prepared: Prepared, flags: TrainFlags, folder: string, origin: Origin): TE.TaskEither<Errors, Resumed | undefined> =>
  pipe(
    flags.resume === undefined
      ? pipe(
          beginRun(disk, folder, { ...versions, ...origin, config: prepared.config }),
          TE.map(() => undefined),
        )
      : pipe(
          resumeRun(disk, folder, prepared.model, prepared.plan, origin),
          TE.tap(() => writeRunConfig(disk, folder, { ...versions, ...origin, config: prepared.config })),
        ),
    TE.mapLeft(inFolder),
  )

const resumeCommand = (folder: string): string => ['npx', 'axgrad', 'train', '--resume', folder].map(shellWord).join(' ')

interface Told {
  readonly end: E.Either<RunFault, RunEnd>
  readonly evaluations: readonly Evaluation[]
}

/** Follow a run to its end, and tell of it. */
const tell = async (
  { plan }: Prepared,
  show: Show,
  events: AsyncGenerator<RunEvent<unknown>, E.Either<RunFault, RunEnd>>,
  before: readonly Evaluation[],
): Promise<Told> => {
  const pace = paceOf(plan)
  const warned = new Set<string>()
  let evaluations = before
  for (;;) {
    const next = await events.next()
    if (next.done === true) return { end: next.value, evaluations }
    const event = next.value
    switch (event.tag) {
      case 'begins':
        show.begin(event.what)
        break
      case 'taught':
      case 'reinforced': {
        const { secondsLeft, news } = pace(event)
        show.now(stepText(plan, event, secondsLeft))
        if (news !== undefined) show.line(news)
        if (event.tag === 'taught') break
        for (const warning of warningsOf()(event.metrics).filter(({ tag }) => !warned.has(tag))) {
          warned.add(warning.tag)
          show.line(`warning: ${renderWarning(warning)}`)
        }
        break
      }
      case 'evaluated':
        evaluations = [...evaluations, event.evaluation]
        show.line(evaluationText(event.evaluation))
        break
      case 'saved':
        show.line(`saved checkpoint ${event.checkpoint}`)
        break
      case 'rests':
    }
  }
}

/** Ctrl-C asks for the end of a run; the second time the process ends at once. */
const interrupts = (show: Show): { readonly isStopped: () => boolean; readonly off: () => void } => {
  let isStopped = false
  const stop = (): void => {
    if (isStopped) process.exit(130)
    isStopped = true
    show.line('finishing this step, then saving; once more ends at once, and the run goes on from its last checkpoint')
  }
  process.on('SIGINT', stop)
  return { isStopped: () => isStopped, off: () => process.off('SIGINT', stop) }
}

const refuse = (errors: Errors): number => {
  console.error(errors.map(renderRunCommandError).join('\n'))
  return exit.badUsage
}

const follow = async (device: Device, prepared: Prepared, flags: TrainFlags, folder: string): Promise<number> => {
  const { config, plan, model } = prepared
  const origin = originOf(prepared, device)
  const resumed = await folderFor(prepared, flags, folder, origin)()
  if (E.isLeft(resumed)) return refuse(resumed.left)
  console.log(JSON.stringify(config))
  console.log(startText(plan, device.facts, config.threads ?? availableParallelism(), folder))
  if (resumed.right !== undefined) console.log(`resumed after step ${String(resumed.right.progress.step)}`)
  const show = showOn(process.stdout)
  const { isStopped, off } = interrupts(show)
  const recording: Recording<unknown> = {
    ...{ files: disk, folder, model, origin, isStopped },
    ...{ environment: plan.environment, every: config.checkpoint.every, transcripts: config.transcripts },
  }
  const life = live(device, plan, resumed.right)
  const { end, evaluations } = await tell(prepared, show, recorded(recording, life), resumed.right?.progress.evaluations ?? [])
  show.end()
  off()
  if (E.isLeft(end)) {
    console.error(renderRunCommandError({ tag: 'fault', fault: end.left }))
    console.error(`the run is in ${folder}; it goes on from its last checkpoint by: ${resumeCommand(folder)}`)
    return exit.failed
  }
  if (end.right.tag === 'stopped') {
    console.log(`stopped after step ${String(end.right.step)} of ${String(stepsOf(plan).all)}; go on with: ${resumeCommand(folder)}`)
    return 130
  }
  console.log(`\n${closingText(evaluations)}\n\nthe run is in ${folder}: metrics.jsonl, transcripts, checkpoints`)
  return exit.passed
}

/** A folder that says what is in it and when it began. */
const newFolder = ({ task: { name }, reinforcement: { algorithm, lossFile } }: RunConfig): string =>
  join('runs', `${name}-${lossFile === undefined ? algorithm : 'loss'}-${new Date().toISOString().slice(0, 19).replace(/[:T]/g, '-')}`)

/** A run with the policy that it begins with, where there is one. */
const begun = (prepared: Prepared): TE.TaskEither<Errors, Prepared> =>
  pipe(
    initialOf(prepared),
    TE.map((initial) => (initial === undefined ? prepared : { ...prepared, plan: { ...prepared.plan, initial } })),
  )

const train = async (file: string | undefined, flags: TrainFlags): Promise<number> => {
  const prepared = await pipe(
    configFor(file, flags),
    TE.flatMap((config) => prepareRun(config)),
    TE.flatMap((made) => (flags.resume === undefined ? begun(made) : TE.right(made))),
  )()
  if (E.isLeft(prepared)) return refuse(prepared.left)
  const { config } = prepared.right
  const { strict, threads } = config
  const device = await openDevice(config.device as DeviceKind, { strict, ...(threads !== undefined && { threads }) })()
  if (E.isLeft(device)) return refuse([{ tag: 'noDevice', error: device.left }])
  return follow(device.right, prepared.right, flags, flags.resume ?? flags.out ?? newFolder(config)).finally(() => device.right.release())
}

/** axgrad train: a policy, a task and a loss, from the first step to the last. */
export const addTrain = (program: Command, ends: (code: number) => void): Command =>
  program
    .command('train')
    .description('train a policy on a task by an algorithm or by a loss of your own, into a folder that it can be resumed from')
    .argument('[config]', 'a .json file of settings, or a .ts file that exports them; flags go over it')
    .option('--algorithm <name>', 'the loss of the library to train by, as grpo, mempo, ppo, cispo, gspo, rloo, dpo')
    .option('--loss <file>', 'a file that exports a loss of your own to train by')
    .option('--task <name>', `what to play: ${Object.keys(taskSchemas).join(', ')}`)
    .option('--init <folder>', "the checkpoint that the policy begins with, in place of a warm start; or 'random', or 'warm-start'")
    .addOption(new Option('--device <kind>', 'where to run').choices(deviceKinds))
    .option('--seed <n>', 'another seed, another run', wholeNumber)
    .option('--steps <n>', 'how many steps of reinforcement', wholeNumber)
    .option('--threads <n>', 'how many threads of the processor to use; the numbers do not depend on it', positiveNumber)
    .option('--strict', 'the same bits on every machine: without fused multiply-adds')
    .option('--quick', 'a short run, for a look')
    .option('--out <folder>', 'the folder of the run')
    .addOption(
      new Option('--resume <folder>', 'go on with a run from its newest checkpoint; other flags change it from there on').conflicts([
        'out',
        'quick',
      ]),
    )
    .addHelpText('after', '\nExample: axgrad train --task countdown --quick')
    .action(async (file: string | undefined, flags: TrainFlags) => {
      ends(await train(file, flags))
    })
