import { readdirSync, readFileSync } from 'node:fs'

const tasks = '/proc/self/task'

const read = (thread: number, file: string): string => {
  try {
    return readFileSync(`${tasks}/${String(thread)}/${file}`, 'utf8')
  } catch {
    return '' // it has ended
  }
}

/**
 * Processor time, in seconds, of the threads that run lavapipe's kernels: those that it starts after the ones it names. Other programs slow it
 * much less than they do the clock, and Dawn's own thread, which waits by turning, is none of them. Undefined for another driver.
 */
export const driverSeconds = (): number | undefined => {
  const threads = readdirSync(tasks)
    .map(Number)
    .toSorted((a, b) => a - b)
  const named = threads.findLastIndex((thread) => read(thread, 'comm').startsWith('llvmpipe'))
  if (named < 0) return undefined
  return threads.slice(named + 1).reduce((sum, thread) => sum + Number(read(thread, 'schedstat').split(' ')[0]) / 1e9, 0)
}
