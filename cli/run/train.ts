import { join } from 'node:path'
import { type Command, Option } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { deviceKinds } from '../../backends/index.js'
import { positiveNumber, wholeNumber } from '../arguments.js'
import { asked } from './asked.js'
import { deviceFor } from './device.js'
import { endWith } from './end.js'
import type { TrainFlags } from './flags.js'
import { follow } from './follow.js'
import { lossFault } from './folder.js'
import { withInitial } from './initial.js'
import { prepareRun } from './plan.js'
import { precisions, type RunConfig, taskSchemas } from './schema.js'

/** A folder that says what is in it and when it began. */
const newFolder = ({ task: { name }, reinforcement: { algorithm, lossFile } }: RunConfig): string =>
  join('runs', `${name}-${lossFile === undefined ? algorithm : 'loss'}-${new Date().toISOString().slice(0, 19).replace(/[:T]/g, '-')}`)

const train = async (file: string | undefined, flags: TrainFlags): Promise<number> => {
  const { resume, out } = flags
  const ready = await pipe(
    asked(file, flags),
    TE.bindTo('asked'),
    TE.bind('prepared', ({ asked: { config, begun } }) =>
      begun === undefined ? pipe(prepareRun(config), TE.flatMap(withInitial)) : prepareRun(config),
    ),
    TE.tap(({ asked: { begun }, prepared }) => {
      const fault = begun && lossFault(begun, prepared)
      return fault === undefined ? TE.right(undefined) : TE.left(fault)
    }),
    TE.bind('device', ({ prepared: { config } }) => deviceFor(config, flags.schedules)),
  )()
  if (E.isLeft(ready)) return endWith(ready.left)
  const { prepared, device } = ready.right
  return follow(device, prepared, resume ?? out ?? newFolder(prepared.config), resume !== undefined).finally(() => device.release())
}

/** axgrad train: a policy, a task and a loss, from the first step to the last. */
export const addTrain = (program: Command, ends: (code: number) => void): Command =>
  program
    .command('train')
    .description('train a policy on a task by an algorithm or by a loss of your own, into a folder that it can be resumed from')
    .argument('[config]', 'a .json file of settings, or a .ts file that exports them; flags go over it')
    .option('--algorithm <name>', 'the loss of the library to train by, as grpo, mempo, ppo, cispo, gspo, rloo, dpo')
    .option('--loss <file>', 'a file that exports a loss of your own to train by')
    .option('--only <name>', 'the loss of this name, where the file exports several')
    .option('--task <name>', `what to play: ${Object.keys(taskSchemas).join(', ')}`)
    .option('--init <folder>', "the checkpoint that the policy begins with, in place of a warm start; or 'random', or 'warm-start'")
    .addOption(new Option('--device <kind>', 'where to run').choices(deviceKinds))
    .option('--schedules <file>', 'what `axgrad tune` found for the adapter that it runs on')
    .option('--seed <n>', 'another seed, another run', wholeNumber)
    .option('--steps <n>', 'how many steps of reinforcement', wholeNumber)
    .option('--threads <n>', 'how many threads of the processor to use; the numbers do not depend on it', positiveNumber)
    .option('--strict', 'the same bits on every machine: without fused multiply-adds')
    .addOption(
      new Option('--precision <how>', 'in how many bits a WebGPU adapter keeps and multiplies what lies between its kernels').choices(
        precisions,
      ),
    )
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
