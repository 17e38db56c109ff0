import { exit } from '../arguments.js'
import type { Show } from './show.js'

/** Ctrl-C asks for the end of a run; the second time the process ends at once. */
export const interrupts = (show: Show): { readonly isStopped: () => boolean; readonly off: () => void } => {
  let isStopped = false
  const stop = (): void => {
    if (isStopped) process.exit(exit.stopped)
    isStopped = true
    show.line('finishing this step, then saving; once more ends at once, and the run goes on from its last checkpoint')
  }
  process.on('SIGINT', stop)
  return { isStopped: () => isStopped, off: () => process.off('SIGINT', stop) }
}
