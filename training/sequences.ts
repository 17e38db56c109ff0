import { countOf, type Value } from '../dsl/index.js'

/** Token ids of a prompt and of the answer after it. */
export interface Sequence {
  readonly prompt: readonly number[]
  readonly answer: readonly number[]
  /** Which tokens of the answer the policy wrote; all if not said. What a tool wrote between them is read and not answered for. */
  readonly answerMask?: readonly boolean[]
}

type Rows = readonly (readonly number[])[]

const sizesOf = (rows: Rows): readonly number[] => [rows.length, rows[0]?.length ?? 0]

/** Rows of one length behind each other. */
const laid = <A extends Int32Array | Float32Array>(data: A, rows: Rows): A => {
  rows.forEach((row, i) => data.set(row, i * row.length))
  return data
}

export const int32Rows = (rows: Rows): Value => ({ sizes: sizesOf(rows), data: laid(new Int32Array(countOf(sizesOf(rows))), rows) })
const float32Rows = (rows: Rows): Value => ({ sizes: sizesOf(rows), data: laid(new Float32Array(countOf(sizesOf(rows))), rows) })

const repeated = (x: number, times: number): readonly number[] => Array.from({ length: times }, () => x)

/** Each row with `x` behind it, so that all are as long as the longest. */
const padded = (rows: Rows, x: number): Rows => {
  const length = Math.max(0, ...rows.map((row) => row.length))
  return rows.map((row) => [...row, ...repeated(x, length - row.length)])
}

/** A number for each token of the answers, at the places where these are targets; 0 elsewhere. */
const atTargets = (sequences: readonly Sequence[], perToken: Rows): Rows =>
  padded(
    sequences.map(({ prompt }, row) => [...repeated(0, prompt.length - 1), ...(perToken[row] ?? [])]),
    0,
  )

/** What is known of each token of the answers, such as its log-probability, as `targets` lie. */
export const answerValues = (sequences: readonly Sequence[], perToken: Rows): Value => float32Rows(atTargets(sequences, perToken))

/** Values for `sequenceSpecs`: axes `batch`, `time`. */
export interface NextTokens {
  readonly tokens: Value
  readonly targets: Value
  readonly responseMask: Value
}

/**
 * Prompts with their answers as a model reads them, padded behind:
 *
 *   tokens        5 7 = 35 : 5 *
 *   targets       7 = 35 : 5 * 7
 *   responseMask  0 0  0 0 1 1 1
 */
export const nextTokens = (sequences: readonly Sequence[], padId: number): NextTokens => {
  const rows = padded(
    sequences.map(({ prompt, answer }) => [...prompt, ...answer]),
    padId,
  )
  const written = sequences.map(({ answer, answerMask }) => answerMask?.map(Number) ?? repeated(1, answer.length))
  return {
    tokens: int32Rows(rows.map((row) => row.slice(0, -1))),
    targets: int32Rows(rows.map((row) => row.slice(1))),
    responseMask: int32Rows(atTargets(sequences, written)),
  }
}
