import type { Kind, Sizes } from '../inputs/index.js'

/** What is asked of a contender, one line of JSON each, on its standard input. */
export type Ask =
  /** Bring a workload in, run it for the first time and write what it made. `folder` has the inputs, `into` takes the outputs. */
  | { readonly ask: 'prepare'; readonly kind: Kind; readonly sizes: Sizes[Kind]; readonly folder: string; readonly into: string }
  /** Run it so many times, after once that is not timed if `warm`. */
  | { readonly ask: 'run'; readonly times: number; readonly warm: boolean }
  /** Say what its runs cost. */
  | { readonly ask: 'count' }
  | { readonly ask: 'quit' }

/** What a contender says of its runs, as far as it can count. */
export interface Counts {
  /** Programs of the device that were compiled. */
  readonly kernels?: number
  /** Of kernels, in a run. */
  readonly dispatches?: number
  readonly submits?: number
  /** Read and written by a run's kernels, each buffer once a kernel. */
  readonly bytes?: number
  /** Taken for what a run makes on its way. */
  readonly arena?: number
  /** The most bytes of it that are needed at one time. */
  readonly needed?: number
  /** What its arithmetic reaches at most, in additions and products a second. */
  readonly peakFlops?: number
}

/** What it answers, one line of JSON each, on its file descriptor 3. */
export type Reply =
  /** It has begun; `facts` are versions, threads, devices. */
  | { readonly reply: 'ready'; readonly facts: Readonly<Record<string, string>> }
  | { readonly reply: 'prepared'; readonly ms: number }
  /** Milliseconds a run. */
  | { readonly reply: 'ran'; readonly ms: number }
  | { readonly reply: 'counted'; readonly counts: Counts }
  | { readonly reply: 'cannot'; readonly because: string }
