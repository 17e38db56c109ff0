import { type HostTensor, leaves } from '../../dsl/index.js'
import type { GoldenCase, Nested, Results } from './golden-file.js'
import type { Tolerance } from './reading.js'

/** A number that is not what it should be. */
export interface Difference {
  readonly path: string
  readonly place: number
  readonly got: number | undefined
  readonly expected: number | undefined
}

export const flat = (x: Nested): readonly number[] => (typeof x === 'number' ? [x] : x.flatMap(flat))

const isNested = (x: unknown): x is Nested => typeof x === 'number' || (Array.isArray(x) && x.every(isNested))

/** The arrays of a case's outputs by path: `value`, `grads.log_prob`. */
export const expectedByPath = (results: Results): ReadonlyMap<string, readonly number[]> =>
  new Map(leaves(isNested)(results).map(({ path, value }) => [path, flat(value)]))

const isClose = ({ rtol, atol }: Tolerance, got: number, expected: number): boolean =>
  Object.is(got, expected) || got === expected || Math.abs(got - expected) <= atol + rtol * Math.abs(expected)

/** Every place of every output at which the two disagree; an output that one of them lacks disagrees at each of its places. */
export const differences = (
  expected: ReadonlyMap<string, readonly number[]>,
  got: ReadonlyMap<string, HostTensor>,
  toleranceOf: (path: string) => Tolerance,
): readonly Difference[] =>
  [...new Set([...expected.keys(), ...got.keys()])].flatMap((path) => {
    const [e, g] = [expected.get(path) ?? [], [...(got.get(path)?.data ?? [])]]
    const places = Array.from({ length: Math.max(e.length, g.length) }, (_, place): Difference => ({
      path,
      place,
      got: g[place],
      expected: e[place],
    }))
    return places.filter((d) => d.got === undefined || d.expected === undefined || !isClose(toleranceOf(path), d.got, d.expected))
  })

const logProbNames = [
  ['log_prob', 'old_log_prob', 'ref_log_prob'],
  ['per_token_logps', 'old_per_token_logps', 'ref_per_token_logps'],
  ['logprob', 'ref_logprob'],
]

/** The greatest distance between two log-probabilities of one token in a case. */
const greatestLogRatio = ({ inputs }: GoldenCase): number =>
  Math.max(
    0,
    ...logProbNames.flatMap(([current, ...others]) => {
      const x = flat(inputs[current!] ?? [])
      return others.flatMap((other) => flat(inputs[other] ?? []).map((y, i) => Math.abs(x[i]! - y)))
    }),
  )

/** Beyond 10 nats values reach 1e8 and cancel against others: in float32 what is small beside the greatest of them may differ. */
export const toleranceFor = (golden: GoldenCase, expected: ReadonlyMap<string, readonly number[]>, tolerance: Tolerance): Tolerance => {
  const greatest = Math.max(1, ...[...expected.values()].flat().filter(Number.isFinite).map(Math.abs))
  return tolerance.cancels && greatestLogRatio(golden) > 10 ? { ...tolerance, atol: tolerance.atol * greatest } : tolerance
}
