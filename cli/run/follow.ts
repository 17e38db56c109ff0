import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import type { Device } from '../../backends/index.js'
import {
  announcing,
  disk,
  live,
  recorded,
  type Recording,
  renderRunFolderError,
  type Resumed,
  type RunPlan,
  stageEnds,
} from '../../training/index.js'
import { exit, shellWord } from '../arguments.js'
import { writeReport } from '../report/write-report.js'
import { endWith } from './end.js'
import { folderFor, type Origin, originOf } from './folder.js'
import { interrupts } from './interrupts.js'
import type { Prepared } from './plan.js'
import { roomFor } from './room.js'
import { showOn } from './show.js'
import { tell, type Told } from './tell.js'
import { closingText, startText } from './text.js'

const resumeCommand = (folder: string): string => ['npx', 'axgrad', 'train', '--resume', folder].map(shellWord).join(' ')

const sayStart = ({ config, plan }: Prepared, { facts }: Device, folder: string, resumed: Resumed | undefined): void => {
  console.log(JSON.stringify(config))
  console.log(startText(plan, facts, config.threads ?? availableParallelism(), folder))
  if (resumed !== undefined) console.log(`resumed after step ${String(resumed.progress.step)}`)
}

/** The last lines of a run, and the code that it ends with. */
const sayEnd = (plan: RunPlan<unknown>, folder: string, { end, evaluations }: Told): number => {
  if (E.isLeft(end)) {
    const code = endWith([{ tag: 'fault', fault: end.left }])
    console.error(`the run is in ${folder}; it goes on from its last checkpoint by: ${resumeCommand(folder)}`)
    return code
  }
  if (end.right.tag === 'stopped') {
    const all = stageEnds(plan).reinforcement
    console.log(`stopped after step ${String(end.right.step)} of ${String(all)}; go on with: ${resumeCommand(folder)}`)
    return exit.stopped
  }
  const transcripts = existsSync(join(folder, 'transcripts')) ? ' transcripts,' : ''
  console.log(`\n${closingText(evaluations)}\n\nthe run is in ${folder}: report.html, metrics.jsonl,${transcripts} checkpoints`)
  return exit.passed
}

const recordingOf = ({ config, plan, model }: Prepared, folder: string, origin: Origin): Omit<Recording<unknown>, 'isStopped'> => ({
  ...{ files: disk, folder, model, origin, environment: plan.environment },
  every: config.checkpoint.every,
  keep: { newest: config.checkpoint.keep, base: stageEnds(plan).rewardModel },
  transcripts: config.transcripts,
})

/** A run on a device from its first step, or from its newest checkpoint, to its last. */
export const follow = async (device: Device, prepared: Prepared, folder: string, isResumed: boolean): Promise<number> => {
  const { plan } = prepared
  const noRoom = roomFor(plan, device.facts)
  if (noRoom !== undefined) return endWith([noRoom])
  const origin = originOf(prepared, device)
  const resumed = await folderFor(prepared, folder, origin, isResumed)()
  if (E.isLeft(resumed)) return endWith(resumed.left)
  sayStart(prepared, device, folder, resumed.right)
  const show = showOn('stdout')
  const { isStopped, off } = interrupts(show)
  const telling = announcing(device, (program) => show.during(`compiling ${program}`))
  const events = recorded({ ...recordingOf(prepared, folder, origin), isStopped }, live(telling, plan, resumed.right))
  const told = await tell(plan, show, events, resumed.right?.progress.evaluations ?? [])
  show.end()
  off()
  const page = await writeReport(folder)()
  if (E.isLeft(page)) console.error(renderRunFolderError(page.left))
  return sayEnd(plan, folder, told)
}
