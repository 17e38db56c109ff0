import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import type { Camp, ContenderInfo } from './contenders.js'
import { type ContenderProcess, start } from './contender-process.js'
import { type Deviation, judgeOf, type Made } from './expected/index.js'
import { readArrays, writeArrays } from './protocol/arrays.js'
import type { FirstCall, Result, Timed } from './results.js'
import { inTurns } from './turns.js'
import { givenTo, type Workload } from './workloads.js'

export interface Settings {
  readonly runs: number
  /** Where inputs and outputs are put. */
  readonly folder: string
}

/** The farthest that a result should be from float64's, as a part of it. */
export const tolerance = 1e-4

/** The farthest with which one is timed. To leave a peer out because its sums are inexact would flatter us: it is timed, and the report says so. */
const farthest: { readonly [C in Camp]: number } = { ours: tolerance, javascript: 1e-2, native: 1e-2 }

/** A workload at some sizes, its inputs written, with what judges its outputs. */
interface Task {
  readonly workload: Workload
  readonly sizes: Workload['sizes']
  readonly folder: string
  readonly judge: (made: Made) => Deviation
}

const inputsIn = (folder: string): string => join(folder, 'inputs')

const taskOf = (workload: Workload, sizes: Workload['sizes'], folder: string): Task => {
  writeArrays(inputsIn(folder), givenTo(workload as never, sizes as never))
  return { workload, sizes, folder, judge: judgeOf(workload, sizes) }
}

const madeIn = (folder: string): Made => Object.fromEntries(Object.entries(readArrays(folder)).map(([name, { data }]) => [name, data]))

/** Rejects where what it makes is wrong. */
const firstCall = async (contender: ContenderProcess, { workload, sizes, folder, judge }: Task): Promise<FirstCall> => {
  const into = join(folder, contender.info.name)
  const ask = { ask: 'prepare', kind: workload.kind, sizes, folder: inputsIn(folder), into } as const
  const { ms } = await contender.ask(ask, 'prepared')
  const deviation = judge(madeIn(into))
  if (!(deviation.part <= farthest[contender.info.camp]))
    throw new Error(`wrong: ${deviation.of} is ${deviation.part.toExponential(1)} off`)
  return { ms, deviation }
}

/** A contender that has been called. */
interface Called {
  readonly process: ContenderProcess
  readonly readyBytes: number
  readonly first: FirstCall
}

const called = async (info: ContenderInfo, task: Task): Promise<Called> => {
  if (info.spared?.kind === task.workload.kind) throw new Error(info.spared.because)
  const process = await start(info)
  const readyBytes = process.peakBytes()
  try {
    return { process, readyBytes, first: await firstCall(process, task) }
  } catch (error) {
    process.quit()
    throw error
  }
}

/** What is said of a contender once its runs are timed. */
const closed = async ({ process, readyBytes, first }: Called, times: readonly number[], task: Task): Promise<Timed> => {
  const { name: contender, group, camp } = process.info
  const bytes = { ready: readyBytes, peak: process.peakBytes() }
  const { counts } = await process.ask({ ask: 'count' }, 'counted')
  const resized = await firstCall(process, task).catch((error: unknown) => E.toError(error).message)
  return { tag: 'timed', workload: task.workload.name, contender, group, camp, facts: process.facts, first, times, counts, bytes, resized }
}

/** Measure a workload by contenders of one group: each is called for the first time, then they run in turns. */
export const measure = async (
  workload: Workload,
  contenders: readonly ContenderInfo[],
  { runs, folder: root }: Settings,
): Promise<readonly Result[]> => {
  const folder = join(root, workload.name)
  const results: Result[] = []
  const failed = ({ name: contender, group, camp }: ContenderInfo, error: unknown): void =>
    void results.push({ tag: 'failed', workload: workload.name, contender, group, camp, because: E.toError(error).message })

  const task = taskOf(workload, workload.sizes, folder)
  const all: Called[] = []
  for (const info of contenders) await called(info, task).then((one) => all.push(one), (error: unknown) => failed(info, error)) // prettier-ignore
  const times = await inTurns(
    all.map(({ process }) => process),
    runs,
  )
  const other = taskOf(workload, workload.resized, join(folder, 'resized'))
  for (const one of all) {
    const { info, quit } = one.process
    const own = times.get(one.process)
    if (typeof own === 'string') failed(info, own)
    else await closed(one, own ?? [], other).then((result) => results.push(result), (error: unknown) => failed(info, error)) // prettier-ignore
    quit()
  }
  return results
}
