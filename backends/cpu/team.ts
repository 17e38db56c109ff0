import * as E from 'fp-ts/lib/Either.js'
import { Worker } from 'node:worker_threads'

/** What a thread goes through: the commands of a list from the first to before the last, with scratch memory of its own. */
export interface Work {
  readonly list: number
  readonly scratch: (thread: number) => number
  readonly first: number
  readonly last: number
}

/** Threads over a device's memory. They start with the first task and keep no process alive when there is none. */
export interface Team {
  /** All threads do the work, with what a module runs; undefined where they did, else why one of them died. */
  readonly run: (module: WebAssembly.Module, work: Work) => Promise<string | undefined>
  readonly stop: () => void
}

/** The words that threads wait by: how often they have been called, and how many still work. */
const words = { calls: 0, working: 1, count: 2 } as const

/**
 * The body of a thread. It is text, since Node 20 runs no TypeScript. It does not go back to the event loop, which takes longer to wake
 * than a word of memory: it sleeps until it is called, and then takes its messages itself.
 */
const body = `
const { parentPort, receiveMessageOnPort, workerData: { memory, signal } } = require('node:worker_threads')
const programs = new Map()
const obey = ({ id, forget, module, list, scratch, first, last }) => {
  if (forget) return void programs.delete(id)
  if (module !== undefined) programs.set(id, new WebAssembly.Instance(module, { device: { memory } }))
  programs.get(id).exports.run(list, scratch, first, last)
  if (Atomics.sub(signal, ${String(words.working)}, 1) === 1) Atomics.notify(signal, ${String(words.working)})
}
for (;;) {
  const calls = Atomics.load(signal, ${String(words.calls)})
  for (let received; (received = receiveMessageOnPort(parentPort)) !== undefined;) obey(received.message)
  Atomics.wait(signal, ${String(words.calls)}, calls)
}
`

export const createTeam = (memory: WebAssembly.Memory, threads: number): Team => {
  let workers: readonly Worker[] = []
  let signal = new Int32Array(new SharedArrayBuffer(0))
  let known = new WeakMap<WebAssembly.Module, number>()
  let count = 0

  const call = (messages: readonly object[]): void => {
    workers.forEach((worker, thread) => worker.postMessage(messages[thread]))
    Atomics.add(signal, words.calls, 1)
    Atomics.notify(signal, words.calls)
  }

  /** Threads give up their instances of a module that this thread has none of any more. */
  const forgotten = new FinalizationRegistry<number>((id) => {
    if (workers.length > 0) call(workers.map(() => ({ id, forget: true })))
  })

  const start = (): void => {
    known = new WeakMap()
    signal = new Int32Array(new SharedArrayBuffer(words.count * Int32Array.BYTES_PER_ELEMENT))
    workers = Array.from({ length: threads }, () => new Worker(body, { eval: true, execArgv: [], workerData: { memory, signal } }))
  }

  const stop = (): void => {
    for (const worker of workers) void worker.terminate()
    workers = []
  }

  const nobodyWorks = async (): Promise<undefined> => {
    for (let left = threads; left > 0; left = Atomics.load(signal, words.working))
      await Atomics.waitAsync(signal, words.working, left).value
  }

  /** A thread that dies leaves the others waiting for it, so all are stopped; the next run starts new ones. */
  const finished = (): Promise<string | undefined> =>
    new Promise((resolve) => {
      const end = (died: string | undefined): void => {
        for (const worker of workers) {
          // Its own listeners and no others: a worker without those that it has of itself hears nothing any more.
          worker.off('error', failed).off('exit', ended)
          worker.unref()
        }
        if (died !== undefined) stop()
        resolve(died)
      }
      const failed = (error: unknown): void => {
        end(E.toError(error).message)
      }
      const ended = (code: number): void => {
        end(`a thread ended with code ${String(code)}`)
      }
      for (const worker of workers) {
        worker.ref()
        worker.on('error', failed).on('exit', ended)
      }
      void nobodyWorks().then(end)
    })

  return {
    run: (module, { list, scratch, first, last }) => {
      if (workers.length === 0) start()
      const earlier = known.get(module)
      const id = earlier ?? count++
      if (earlier === undefined) {
        known.set(module, id)
        forgotten.register(module, id)
      }
      Atomics.store(signal, words.working, threads)
      const done = finished()
      call(workers.map((_, thread) => ({ id, list, scratch: scratch(thread), first, last, ...(earlier === undefined ? { module } : {}) })))
      return done
    },
    stop,
  }
}
