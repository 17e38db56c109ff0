import { graphErrors, renderGraphError } from '../../dsl/index.js'
import { type Difference, differences, expectedByPath, flat, toleranceFor } from './close.js'
import { inFloat32, type Reading } from './reading.js'
import type { Row } from './row.js'

/** What a case gave that it should not: nothing, if it passed. */
export interface Checked {
  readonly case: number
  readonly errors: readonly string[]
  readonly wrong: readonly Difference[]
}

/** Run every case of a row by one reading. */
export const checkRow = (
  reading: Reading,
  { inFloat32: coarse = [], without = [] }: Row,
  cases: ReturnType<Row['prepared']>,
): Promise<readonly Checked[]> =>
  Promise.all(
    cases.map(async ({ golden, differs, program, inputs }, i): Promise<Checked> => {
      const errors = graphErrors(program).map(renderGraphError)
      if (errors.length > 0) return { case: i, errors, wrong: [] }
      const peers = expectedByPath(golden.outputs)
      const ours = Object.entries(differs).map(([path, { ours }]) => [path, flat(ours)] as const)
      const same = ours.filter(([path, x]) => JSON.stringify(peers.get(path)) === JSON.stringify(x))
      const isUnread = (path: string): boolean => without.some((unread) => path === unread || path.startsWith(`${unread}.`))
      const expected = new Map([...peers, ...ours].filter(([path]) => !isUnread(path)))
      const [own, float32] = [reading.tolerance, inFloat32].map((tolerance) => toleranceFor(golden, expected, tolerance))
      return {
        case: i,
        errors: same.map(([path]) => `${path} is said to differ from the peer's and does not`),
        wrong: differences(expected, await reading.run(program, inputs), (path) => (coarse.includes(path) ? float32! : own!)),
      }
    }),
  )
