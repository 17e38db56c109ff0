import { InvalidArgumentError } from 'commander'

/** How a command ended: as it should; it began and failed; it could not begin as it was told; Ctrl-C ended it, as a shell counts that. */
export const exit = { passed: 0, failed: 1, badUsage: 2, stopped: 130 } as const

export const wholeNumber = (text: string): number => {
  const n = Number(text)
  if (!Number.isSafeInteger(n)) throw new InvalidArgumentError('It must be a whole number.')
  return n
}

export const positiveNumber = (text: string): number => {
  const n = wholeNumber(text)
  if (n < 1) throw new InvalidArgumentError('It must be at least 1.')
  return n
}

/** `12:0:3`, as a report shows it. */
export const shrinkPath = (text: string): string => {
  if (!/^\d+(:\d+)*$/.test(text)) throw new InvalidArgumentError('It must be numbers with colons between them, as a report shows it.')
  return text
}

type Ranges = Readonly<Record<string, readonly [number, number]>>

/** `logProbs=-5,0`, once for each input. */
export const range = (text: string, before: Ranges): Ranges => {
  const [, input, low, high] = /^([^=]+)=([^,]+),([^,]+)$/.exec(text) ?? []
  const bounds = [Number(low), Number(high)] as const
  if (input === undefined || !(bounds[0] <= bounds[1])) throw new InvalidArgumentError('It must be INPUT=LOW,HIGH.')
  return { ...before, [input]: bounds }
}

type Sizes = Readonly<Record<string, number>>

/** `batch=4`, once for each axis. */
export const sizeOfAxis = (text: string, before: Sizes): Sizes => {
  const [, axis, size] = /^([^=]+)=(\d+)$/.exec(text) ?? []
  if (axis === undefined) throw new InvalidArgumentError('It must be AXIS=SIZE.')
  return { ...before, [axis]: Number(size) }
}

/** A word of a command line, quoted where a shell would read it otherwise. */
export const shellWord = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
