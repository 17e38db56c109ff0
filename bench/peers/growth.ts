import { join } from 'node:path'
import type { ContenderInfo } from './contenders.js'
import { type ContenderProcess, start } from './contender-process.js'
import type { DecoderSizes } from './inputs/decoder.js'
import { inputsOf } from './inputs/index.js'
import { writeArrays } from './protocol/arrays.js'
import type { Ladder, Rung } from './results.js'
import { inTurns } from './turns.js'
import { workloads } from './workloads.js'

const [step] = workloads.filter(({ name }) => name === 'W5')
const base = step?.sizes as DecoderSizes

/** So many heads of 32, and a feed-forward part of 8/3 of the width. */
const ofWidth = (width: number): Partial<DecoderSizes> => ({ width, heads: width / 32, ffn: 8 * Math.round(width / 3) })

const ladders: { readonly [L in Ladder]: { readonly sizes: readonly number[]; readonly change: (size: number) => Partial<DecoderSizes> } } =
  {
    batch: { sizes: [8, 16, 32, 64, 128], change: (batch) => ({ batch }) },
    time: { sizes: [16, 32, 64, 128, 256], change: (time) => ({ time, batch: 16 }) },
    width: { sizes: [32, 64, 128, 256], change: ofWidth },
    layers: { sizes: [1, 2, 4, 8], change: (layers) => ({ layers }) },
  }

/** A step of these sizes, which has been called once. */
const called = async (info: ContenderInfo, sizes: DecoderSizes, folder: string): Promise<ContenderProcess> => {
  const process = await start(info)
  await process.ask({ ask: 'prepare', kind: 'step', sizes, folder, into: join(folder, info.name) }, 'prepared')
  return process
}

/** Contenders at one size, each in a process of its own, in turns. */
const rungs = async (
  ladder: Ladder,
  size: number,
  contenders: readonly ContenderInfo[],
  runs: number,
  root: string,
): Promise<readonly Rung[]> => {
  const sizes = { ...base, ...ladders[ladder].change(size) }
  const folder = join(root, 'growth', `${ladder} ${String(size)}`)
  writeArrays(folder, inputsOf('step', 'W5', sizes))
  const all: ContenderProcess[] = []
  for (const info of contenders) all.push(await called(info, sizes, folder))
  const times = await inTurns(all, runs)
  const made: Rung[] = []
  for (const process of all) {
    const own = times.get(process)
    const peakBytes = process.peakBytes()
    if (typeof own === 'string' || own === undefined) throw new Error(own)
    const { counts } = await process.ask({ ask: 'count' }, 'counted')
    made.push({ ladder, contender: process.info.name, size, times: own, counts, peakBytes })
    process.quit()
  }
  return made
}

/** How a step grows along each of its sizes. */
export const growth = async (contenders: readonly ContenderInfo[], runs: number, folder: string): Promise<readonly Rung[]> => {
  const made: Rung[] = []
  for (const [ladder, { sizes }] of Object.entries(ladders) as readonly [Ladder, (typeof ladders)[Ladder]][])
    for (const size of sizes) made.push(...(await rungs(ladder, size, contenders, runs, folder)))
  return made
}
