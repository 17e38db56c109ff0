import { type Command, Option } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { renderRunError } from '../backends/backend.js'
import { renderAcquireError, type Trial, type Tried, type TuneError, tuneWebGpu } from '../backends/webgpu/index.js'
import type { Tiling } from '../compiler/index.js'
import { disk, replaceFile } from '../training/index.js'
import { exit } from './arguments.js'
import type { CommandError } from './errors.js'
import { refuse } from './refuse.js'
import { scheduleText } from './schedule-file.js'

const sidesText = ({ outer, inner }: Tiling['tile']): string => `${String(outer)} × ${String(inner)}`

/** A schedule in a line. */
const scheduleLine = ({ tiling: { tile, whole, shares }, rowLanes }: Tried): string =>
  [
    `tile ${sidesText(tile)}`,
    ...(whole === undefined ? [] : [`without an edge ${sidesText(whole)}`]),
    ...(shares === undefined
      ? []
      : [`workgroups of ${String(shares.lanes)} × ${String(shares.lanes)} share ${String(shares.depth)} steps`]),
    ...(rowLanes === undefined ? [] : [`${String(rowLanes)} share a row`]),
  ].join(', ')

const trialLine = ({ tried, sample, seconds }: Trial): string =>
  `  ${(1000 * seconds).toFixed(2).padStart(9)} ms  ${sample.padEnd(5)}  ${scheduleLine(tried)}`

const fail = (error: TuneError): number => {
  console.error(error.tag === 'notAcquired' ? renderAcquireError(error.error) : renderRunError(error.error))
  return error.tag === 'notAcquired' ? exit.badUsage : exit.failed
}

interface TuneFlags {
  readonly device: 'webgpu' | 'software'
  readonly out: string
}

const tune = async ({ device, out }: TuneFlags): Promise<number> => {
  const tuned = await tuneWebGpu(device)()
  if (E.isLeft(tuned)) return fail(tuned.left)
  const { adapter, deviceClass, trials, best } = tuned.right
  const written = await pipe(
    replaceFile(disk, out, scheduleText({ adapter, deviceClass, ...best })),
    TE.mapLeft(({ because }): CommandError => ({ tag: 'cannotWrite', file: out, message: because })),
  )()
  if (E.isLeft(written)) return refuse(written.left)
  console.log([adapter, ...trials.map(trialLine), `best: ${scheduleLine(best)}, in ${out}`].join('\n'))
  return exit.passed
}

/** axgrad tune: which schedule is fastest on the adapter of this machine? */
export const addTune = (program: Command, ends: (code: number) => void): Command =>
  program
    .command('tune')
    .description('measure a few ways to cut products and rows on a WebGPU adapter, and write the fastest to a file for --schedules')
    .addOption(new Option('--device <kind>', 'which adapter').choices(['webgpu', 'software']).default('webgpu'))
    .option('--out <file>', 'the file to write', 'schedules.json')
    .addHelpText('after', '\nExample: axgrad tune --out schedules.json')
    .action(async (flags: TuneFlags) => {
      ends(await tune(flags))
    })
