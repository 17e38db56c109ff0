import type { Camp, Group } from './contenders.js'
import type { Deviation } from './expected/index.js'
import type { Counts } from './protocol/messages.js'

/** Called for the first time: milliseconds, and how far its results were from float64's. */
export interface FirstCall {
  readonly ms: number
  readonly deviation: Deviation
}

interface Of {
  readonly workload: string
  readonly contender: string
  readonly group: Group
  readonly camp: Camp
}

/** What was measured of a contender at a workload. */
export interface Timed extends Of {
  readonly tag: 'timed'
  readonly facts: Readonly<Record<string, string>>
  readonly first: FirstCall
  /** Milliseconds a run, one for each turn; a single one of what takes so long that seven were not waited for. */
  readonly times: readonly number[]
  readonly counts: Counts
  /** The most memory of its process, in bytes, when it had opened what it computes on and once it had been measured. */
  readonly bytes: { readonly ready: number; readonly peak: number }
  /** The first call at other sizes, behind all this; or why there was none. */
  readonly resized: FirstCall | string
}

/** A contender that was asked, and why there is no time of it. */
export interface Failed extends Of {
  readonly tag: 'failed'
  readonly because: string
}

export type Result = Timed | Failed

/** What a step's size was multiplied by. */
export type Ladder = 'batch' | 'time' | 'width' | 'layers'

export interface Rung {
  readonly ladder: Ladder
  readonly contender: string
  readonly size: number
  readonly times: readonly number[]
  readonly counts: Counts
  readonly peakBytes: number
}

export interface Machine {
  readonly processor: string
  readonly cores: number
  readonly memoryBytes: number
  readonly node: string
  /** Of runnable threads, over the last minute, before and after. */
  readonly load: readonly [before: number, after: number]
}

/** All that a report is made from. */
export interface Results {
  readonly machine: Machine
  readonly results: readonly Result[]
  readonly growth: readonly Rung[]
}
