import { type Flow, type Reach, reachOf } from './flow.js'
import type { Failure } from './report.js'

/** Where gradients do not flow as they were expected to. */
export const flowFaults = (flow: readonly Flow[], expected: Readonly<Record<string, Reach>>): readonly Failure[] => {
  const wanted = (input: string): Reach | undefined => (Object.hasOwn(expected, input) ? expected[input] : undefined)
  const missing = Object.keys(expected).filter((input) => flow.every((f) => f.input !== input))
  return [
    ...missing.map((input): Failure => ({ tag: 'flowDiffers', input, expected: wanted(input) })),
    ...flow
      .filter((found) => reachOf(found) !== wanted(found.input))
      .map((found): Failure => ({ tag: 'flowDiffers', input: found.input, expected: wanted(found.input), found })),
  ]
}
