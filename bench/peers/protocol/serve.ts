import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Inputs, Kind, Sizes } from '../inputs/index.js'
import { readArrays, type Stored, writeArrays } from './arrays.js'
import type { Ask, Counts, Reply } from './messages.js'

/** A workload that a contender has brought in: its inputs lie where it computes. */
export interface Job {
  /** Once, until its results are there: scalars on the host, arrays where it computes. The first run compiles. */
  readonly run: () => Promise<void>
  /** What the first run made. */
  readonly outputs: () => Promise<Readonly<Record<string, Stored>>>
  readonly counts: () => Counts | Promise<Counts>
  readonly drop: () => void
}

export interface Contender {
  readonly facts: Readonly<Record<string, string>>
  readonly bring: (kind: Kind, sizes: Sizes[Kind], inputs: Inputs) => Promise<Job>
  readonly release: () => Promise<void>
}

const replies = 3

const say = (reply: Reply): void => void writeSync(replies, `${JSON.stringify(reply)}\n`)

const milliseconds = async (work: () => Promise<void>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const prepared = async (contender: Contender, { kind, sizes, folder, into }: Extract<Ask, { readonly ask: 'prepare' }>): Promise<Job> => {
  const job = await contender.bring(kind, sizes, readArrays(folder))
  const ms = await milliseconds(job.run)
  writeArrays(into, await job.outputs())
  say({ reply: 'prepared', ms })
  return job
}

const timed = async ({ run }: Job, { times, warm }: Extract<Ask, { readonly ask: 'run' }>): Promise<number> => {
  const several = async (): Promise<void> => {
    for (let i = 0; i < times; i++) await run()
  }
  if (warm) await run()
  return (await milliseconds(several)) / times
}

const answers: { readonly [A in 'run' | 'count']: (job: Job, ask: Extract<Ask, { readonly ask: A }>) => Promise<Reply> } = {
  run: async (job, ask) => ({ reply: 'ran', ms: await timed(job, ask) }),
  count: async (job) => ({ reply: 'counted', counts: await job.counts() }),
}

/** As long as a line of a table. */
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 300)

/** Answer until told to quit. What fails is said and is the end. */
export const serve = async (opened: () => Promise<Contender>): Promise<void> => {
  try {
    const contender = await opened()
    say({ reply: 'ready', facts: contender.facts })
    let job: Job | undefined
    for await (const line of createInterface({ input: process.stdin })) {
      const ask = JSON.parse(line) as Ask
      if (ask.ask === 'quit') break
      if (ask.ask === 'prepare') {
        job?.drop()
        job = await prepared(contender, ask)
      } else if (job !== undefined) say(await answers[ask.ask](job, ask as never))
    }
    await contender.release()
  } catch (error) {
    say({ reply: 'cannot', because: messageOf(error) })
  }
  process.exit()
}
