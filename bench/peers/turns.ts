import { median } from 'simple-statistics'
import * as E from 'fp-ts/lib/Either.js'
import type { ContenderProcess } from './contender-process.js'

const warmUps = 3

/** A turn of a contender: as many runs as take so long, in milliseconds. */
const turn = 50

/** A run that takes longer than this, in milliseconds, is not waited for ten times: it is measured once, warm. */
const slow = 6000

interface Timing {
  readonly contender: ContenderProcess
  readonly warm: readonly number[]
  readonly times: readonly number[]
  /** Why it is asked no more. */
  readonly failure?: string
}

const run = async ({ contender }: Timing, times: number): Promise<number> =>
  (await contender.ask({ ask: 'run', times, warm: times > 1 }, 'ran')).ms

const isSlow = ({ warm }: Timing): boolean => median(warm) > slow

const warmed = async (timing: Timing): Promise<Timing> =>
  timing.warm.length > 0 && isSlow(timing) ? timing : { ...timing, warm: [...timing.warm, await run(timing, 1)] }

const timed = async (timing: Timing): Promise<Timing> => {
  const usual = median(timing.warm)
  if (isSlow(timing)) return { ...timing, times: [usual] }
  return { ...timing, times: [...timing.times, await run(timing, Math.max(1, Math.ceil(turn / usual)))] }
}

const unlessFailed =
  (step: (timing: Timing) => Promise<Timing>) =>
  async (timing: Timing): Promise<Timing> => {
    if (timing.failure !== undefined) return timing
    return step(timing).catch((error: unknown) => ({ ...timing, failure: E.toError(error).message }))
  }

/** Milliseconds a run, one for each turn, in turns A B C A B C, so that what slows the machine slows all of them; or why it failed. */
export const inTurns = async (
  contenders: readonly ContenderProcess[],
  runs: number,
): Promise<ReadonlyMap<ContenderProcess, readonly number[] | string>> => {
  const steps = [...Array.from({ length: warmUps }, () => warmed), ...Array.from({ length: runs }, () => timed)].map(unlessFailed)
  let timings: readonly Timing[] = contenders.map((contender) => ({ contender, warm: [], times: [] }))
  for (const step of steps) {
    const next: Timing[] = []
    for (const timing of timings) next.push(await step(timing))
    timings = next
  }
  return new Map(timings.map(({ contender, times, failure }) => [contender, failure ?? times]))
}
