import fc from 'fast-check'
import { test } from 'vitest'

export interface LawSettings {
  /** How many inputs to try; 100 unless given. */
  readonly runs?: number
}

/** A thousand programs take minutes on a machine that is busy; a search that was asked for takes as long as it takes. */
const unhurried = { timeout: process.env['RUNS'] === undefined ? 240_000 : 0 }

type Environment = Readonly<Record<string, string | undefined>>

/**
 * A test that `property` holds for every input it generates. The inputs are the same from run to run unless the environment says otherwise:
 *
 *   RUNS=1000            that many inputs for every law          RUNS=10x    ten times as many as each law asks for
 *   SEED=42              other inputs                            SHRINK_PATH=2:0:1   with the SEED it came with: that one input
 */
export const law = <Ts>(sentence: string, property: fc.IRawProperty<Ts>, settings: LawSettings = {}): void =>
  test(sentence, unhurried, async () => {
    const details = await fc.check(property, parametersFrom(process.env, settings))
    if (details.failed) throw new Error(renderBroken(sentence, details), { cause: details.errorInstance })
  })

export const parametersFrom = (environment: Environment, { runs = 100 }: LawSettings) => ({
  numRuns: numRuns(environment['RUNS'], runs),
  seed: Number(environment['SEED'] ?? 1),
  path: environment['SHRINK_PATH'] ?? '',
})

const numRuns = (asked: string | undefined, runs: number): number =>
  asked === undefined ? runs : asked.endsWith('x') ? Math.ceil(runs * Number(asked.slice(0, -1))) : Number(asked)

export const renderBroken = <Ts>(sentence: string, details: fc.RunDetails<Ts>): string => {
  const { counterexample, counterexamplePath, numRuns, numShrinks, numSkips, seed } = details
  if (counterexample === null)
    return `law untested: ${sentence}\n  because: ${numSkips} inputs were skipped and ${numRuns} tried\n  try: generate inputs that meet the precondition`
  return [
    `law broken: ${sentence}`,
    `  counterexample: ${showInputs(counterexample)}   (after ${numRuns} runs, ${numShrinks} shrinks)`,
    `  replay: SEED=${seed} SHRINK_PATH=${counterexamplePath ?? ''} npx vitest run -t "${pattern(sentence)}"`,
  ].join('\n')
}

// fast-check's own rendering honours an object's toString, so a generated program prints as the program.
const showInputs = (inputs: unknown): string =>
  Array.isArray(inputs) ? inputs.map((input) => fc.stringify(input)).join(', ') : fc.stringify(inputs)

/** The sentence as a regular expression that a shell leaves alone inside double quotes: every other sign is any sign. */
const pattern = (sentence: string): string => sentence.replace(/[^\p{L}\p{N} ,:;=_'-]/gu, '.')
