import { report } from '../dsl/index.js'

/** What commander says of a command line that it cannot read, `error: … (Did you mean …?)`, in the three lines of every other fault. */
export const usageText = (command: string, said: string): string => {
  const [, because = said, meant] = /^error: ([^]*?)\s*(?:\(Did you mean ([^]*)\?\))?\s*$/.exec(said) ?? []
  return report(command, because.trim(), meant === undefined ? `${command} --help` : `did you mean ${meant}?`)
}
