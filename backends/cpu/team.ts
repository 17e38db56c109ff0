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

/** The body of a thread. It is text, since Node 20 runs no TypeScript. */
const body = `
const { parentPort, workerData } = require('node:worker_threads')
const programs = new Map()
parentPort.on('message', ({ id, forget, module, list, scratch, first, last }) => {
  if (forget) return void programs.delete(id)
  if (module !== undefined) programs.set(id, new WebAssembly.Instance(module, { device: { memory: workerData } }))
  programs.get(id).exports.run(list, scratch, first, last)
  parentPort.postMessage(0)
})
`

export const createTeam = (memory: WebAssembly.Memory, threads: number): Team => {
  let workers: readonly Worker[] = []
  let known = new WeakMap<WebAssembly.Module, number>()
  let count = 0

  /** Threads give up their instances of a module that this thread has none of any more. */
  const forgotten = new FinalizationRegistry<number>((id) => {
    for (const worker of workers) worker.postMessage({ id, forget: true })
  })

  const start = (): void => {
    known = new WeakMap()
    workers = Array.from({ length: threads }, () => new Worker(body, { eval: true, execArgv: [], workerData: memory }))
  }

  const stop = (): void => {
    for (const worker of workers) void worker.terminate()
    workers = []
  }

  /** A thread that dies leaves the others waiting for it, so all are stopped; the next run starts new ones. */
  const finished = (): Promise<string | undefined> =>
    new Promise((resolve) => {
      let left = workers.length
      const end = (died: string | undefined): void => {
        for (const worker of workers) {
          // Its own listeners and no others: a worker without those that it has of itself hears nothing any more.
          worker.off('message', oneDone).off('error', failed).off('exit', ended)
          worker.unref()
        }
        if (died !== undefined) stop()
        resolve(died)
      }
      const oneDone = (): void => {
        left -= 1
        if (left === 0) end(undefined)
      }
      const failed = (error: unknown): void => {
        end(E.toError(error).message)
      }
      const ended = (code: number): void => {
        end(`a thread ended with code ${String(code)}`)
      }
      for (const worker of workers) {
        worker.ref()
        worker.on('message', oneDone).on('error', failed).on('exit', ended)
      }
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
      const done = finished()
      workers.forEach((worker, thread) =>
        worker.postMessage({ id, list, scratch: scratch(thread), first, last, ...(earlier === undefined ? { module } : {}) }),
      )
      return done
    },
    stop,
  }
}
