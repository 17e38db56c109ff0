import type { CallSite } from '../../dsl/index.js'

/** The line of a test from which this is called. */
export const here = (): Pick<CallSite, 'file' | 'line'> => {
  const [, file = '', line] = /(?:file:\/\/)?(\/[^()]*):(\d+):\d+\)?$/.exec(new Error().stack?.split('\n')[2] ?? '') ?? []
  return { file, line: Number(line) }
}

/** A rendered error, without the numbers that move when a test is edited. */
export const still = (rendered: string): string => rendered.replace(/(\.ts):\d+:\d+/g, '$1:LINE')
