import * as E from 'fp-ts/lib/Either.js'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import { z } from 'zod'
import { report } from '../dsl/index.js'

const id = z.int32().nonnegative()

const rollout = z.strictObject({
  group: z.string(),
  prompt: z.array(id).nonempty(),
  response: z.array(id),
  responseMask: z.array(z.boolean()),
  logProbs: z.array(z.number().max(1e-3).nullable()),
  reward: z.number(),
})

/** One response to a prompt, by a policy of whatever engine. */
export interface Rollout {
  /** The question that it answers: rollouts of one question are compared with each other. */
  readonly group: string
  readonly prompt: readonly number[]
  /** The ids behind the prompt, those that a tool answered among them. */
  readonly response: readonly number[]
  /** Which of these the policy wrote. */
  readonly responseMask: readonly boolean[]
  /** log μ of each id that the policy wrote, in nats, of the distribution that it was drawn from; null where a tool wrote. */
  readonly logProbs: readonly (number | null)[]
  readonly reward: number
}

/** Rollouts as they can be stored, scored and trained on, wherever they were made: JSON lines, a rollout a line. */
export type RolloutResult = readonly Rollout[]

/** What is wrong with a line of rollouts; lines are counted from 1, places from 0. */
export type RolloutError =
  | { readonly tag: 'notJson'; readonly line: number; readonly because: string }
  | { readonly tag: 'wrongField'; readonly line: number; readonly path: string; readonly because: string }
  | {
      readonly tag: 'wrongLength'
      readonly line: number
      readonly field: 'responseMask' | 'logProbs'
      readonly has: number
      readonly ids: number
    }
  | { readonly tag: 'noLogProb'; readonly line: number; readonly place: number }

/** Three lines: what and where, because, try. */
export const renderRolloutError = (error: RolloutError): string => {
  const line = `line ${String(error.line)} of the rollouts`
  switch (error.tag) {
    case 'notJson':
      return report(line, error.because, 'write one JSON object a line, without a comma behind it')
    case 'wrongField':
      return report(
        `${error.path === '' ? 'the object' : `'${error.path}'`} in ${line}`,
        error.because,
        'see Rollout of axgrad/training for the fields',
      )
    case 'wrongLength':
      return report(
        `'${error.field}' in ${line}`,
        `it has ${String(error.has)} elements and the response ${String(error.ids)} ids`,
        'give one for each id of the response, those of tools too',
      )
    case 'noLogProb':
      return report(
        `'logProbs[${String(error.place)}]' in ${line}`,
        `the policy wrote this token, and how likely it found it is not said`,
        'take the log-probability from the engine that sampled, or score the response again; 0 would say that nothing else was possible',
      )
  }
}

const lengthErrors = (line: number, { response, responseMask, logProbs }: Rollout): readonly RolloutError[] =>
  Object.entries({ responseMask, logProbs }).flatMap(([field, { length }]): readonly RolloutError[] =>
    length === response.length ? [] : [{ tag: 'wrongLength', line, field: field as 'logProbs', has: length, ids: response.length }],
  )

const missing = (line: number, { responseMask, logProbs }: Rollout): readonly RolloutError[] =>
  responseMask.flatMap((isResponse, place): readonly RolloutError[] =>
    isResponse && (logProbs[place] ?? null) === null && place < logProbs.length ? [{ tag: 'noLogProb', line, place }] : [],
  )

const json = (text: string): E.Either<string, unknown> => E.tryCatch(() => JSON.parse(text) as unknown, String)

const parseLine = (text: string, line: number): E.Either<readonly RolloutError[], Rollout> => {
  const parsed = json(text)
  if (E.isLeft(parsed)) return E.left([{ tag: 'notJson', line, because: parsed.left }])
  const { success, data, error } = rollout.safeParse(parsed.right)
  if (!success)
    return E.left(error.issues.map(({ path, message }) => ({ tag: 'wrongField', line, path: path.join('.'), because: message })))
  const errors = [...lengthErrors(line, data), ...missing(line, data)]
  return errors.length > 0 ? E.left(errors) : E.right(data)
}

/** Rollouts from JSON lines, or everything that is wrong with them. Empty lines are passed over; a field that is not known is an error. */
export const parseRollouts = (text: string): E.Either<NonEmptyArray<RolloutError>, RolloutResult> => {
  const lines = text.split('\n').flatMap((line, i) => (line.trim() === '' ? [] : [parseLine(line, i + 1)]))
  const [first, ...others] = lines.flatMap((line) => (E.isLeft(line) ? line.left : []))
  return first === undefined ? E.right(lines.flatMap((line) => (E.isRight(line) ? [line.right] : []))) : E.left([first, ...others])
}

/** Rollouts as JSON lines, as `parseRollouts` reads them. */
export const printRollouts = (rollouts: RolloutResult): string => rollouts.map((one) => `${JSON.stringify(one)}\n`).join('')
