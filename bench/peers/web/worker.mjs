import { resolveObjectURL } from 'node:buffer'
import { Worker as Thread } from 'node:worker_threads'

/** What a page's worker has that a thread of Node has not. */
const prelude = `
const { parentPort } = require('node:worker_threads')
globalThis.self = globalThis
globalThis.postMessage = (message) => parentPort.postMessage(message)
parentPort.on('message', (data) => globalThis.onmessage({ data }))
`

/** A page's `Worker`, to be called with `new`, of the text behind a URL of an object: enough for libraries that were made for pages. */
export function pageWorker(url) {
  const worker = { onmessage: undefined, onerror: undefined }
  const thread = resolveObjectURL(url)
    .text()
    .then((text) => {
      const started = new Thread(prelude + text, { eval: true })
      started.on('message', (data) => worker.onmessage?.({ data }))
      started.on('error', (error) => worker.onerror?.(error))
      return started
    })
  return Object.assign(worker, { postMessage: (message) => void thread.then((started) => started.postMessage(message)) })
}
