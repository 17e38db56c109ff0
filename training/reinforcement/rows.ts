import type { Given, GivenFor, Value } from '../../dsl/index.js'
import { isSpec } from '../../dsl/index.js'
import type { PackedSequence } from '../packed.js'
import { answerValues, nextTokens } from '../sequences.js'
import { type BatchSpecs, fieldsOf, type Inputs } from './fields.js'

/** What is known of each token of a row's answer, by the field that it becomes. */
export type TokenField =
  'oldLogProbs' | 'refLogProbs' | 'rolloutLogProbs' | 'oldValues' | 'returns' | 'advantages' | 'rewards' | 'spanTurn' | 'memoryMask'

/** A sequence that the policy wrote, with what it learns from it by. */
export interface Row extends PackedSequence {
  /** Rows of one trajectory share what it earned. */
  readonly trajectory: number
  readonly group: number
  readonly reward: number
  /** Of the whole row. */
  readonly advantage: number
  readonly memoryAdvantages: readonly number[]
  readonly tokens: Readonly<Partial<Record<TokenField, readonly number[]>>>
}

/** A step's rows, or the pairs of them that it compares. */
export type StepRows = { readonly rows: readonly Row[] } | { readonly chosen: readonly Row[]; readonly rejected: readonly Row[] }

const perRow = (data: readonly number[]): Value => ({ sizes: [data.length], data })

const padded = (rows: readonly (readonly number[])[]): Value => {
  const width = Math.max(1, ...rows.map(({ length }) => length))
  return { sizes: [rows.length, width], data: rows.flatMap((row) => Array.from({ length: width }, (_, i) => row[i] ?? 0)) }
}

/** Fields that a row has one number of. */
const rowFields: Readonly<Record<string, (rows: readonly Row[]) => Value>> = {
  advantages: (rows) => perRow(rows.map(({ advantage }) => advantage)),
  rewards: (rows) => perRow(rows.map(({ reward }) => reward)),
  group: (rows) => perRow(numbered(rows.map(({ group }) => group))),
  memoryAdvantages: (rows) => padded(rows.map(({ memoryAdvantages }) => memoryAdvantages)),
}

/** Groups counted from 0 in the order in which they come. */
const numbered = (groups: readonly number[]): readonly number[] => {
  const numbers = new Map([...new Set(groups)].map((group, i) => [group, i]))
  return groups.map((group) => numbers.get(group) ?? 0)
}

const isPerToken = (spec: unknown): boolean => isSpec(spec) && spec.axes.some(({ name }) => name === 'time')

const zerosLike = ({ answer }: Row): readonly number[] => answer.map(() => 0)

const fieldOf = (rows: readonly Row[], field: string, spec: unknown): Given =>
  isPerToken(spec)
    ? answerValues(
        rows,
        rows.map((row) => row.tokens[field as TokenField] ?? zerosLike(row)),
      )
    : (rowFields[field]?.(rows) ?? perRow([]))

const givenRows = (specs: Inputs, rows: readonly Row[], padId: number): Readonly<Record<string, Given>> => {
  const ids = nextTokens(rows, padId)
  return Object.fromEntries(
    Object.entries(specs).map(([field, spec]) => [field, field in ids ? ids[field as keyof typeof ids] : fieldOf(rows, field, spec)]),
  )
}

const written = ({ answerMask }: Row): number => answerMask.filter(Boolean).length

/** All sequences of a step, those of both sides of pairs. */
export const sequencesOf = (step: StepRows): readonly Row[] => ('rows' in step ? step.rows : [...step.chosen, ...step.rejected])

export type Counts = Readonly<Record<'tokens' | 'rows' | 'nonEmptyRows', number>>

/** What a step counts, pairs as rows. */
export const countsOf = (step: StepRows): Counts => {
  const rows = 'rows' in step ? step.rows : step.chosen
  const others = 'rows' in step ? step.rows : step.rejected
  const tokens = rows.reduce((sum, row) => sum + written(row), 0)
  return { tokens, rows: rows.length, nonEmptyRows: rows.filter((row, i) => written(row) + written(others[i] ?? row) > 0).length }
}

/** What an update counts, and how much its means weigh among those of its step: by its tokens, or by its pairs. */
export interface UpdateCounts extends Counts {
  readonly weight: number
}

export const weighed = (step: StepRows, counts: Counts): UpdateCounts => ({
  ...counts,
  weight: 'rows' in step ? counts.tokens : counts.rows,
})

const halves = (tree: Readonly<Record<string, Given>>, first: number): readonly [unknown, unknown] => {
  const cut = (from: number, to?: number) =>
    Object.fromEntries(
      Object.entries(tree).map(([field, value]) => {
        const {
          sizes: [rows = 1, ...rest],
          data,
        } = value as Value
        const width = data.length / rows
        const part = data.slice(from * width, to === undefined ? undefined : to * width)
        return [field, { sizes: [part.length / Math.max(width, 1), ...rest], data: part }]
      }),
    )
  return [cut(0, first), cut(first)]
}

/** A part of a step as its program is given it. Both sides of pairs are padded to one width. */
export const givenFor = (specs: BatchSpecs, part: StepRows, counts: Counts, padId: number): GivenFor<BatchSpecs> => {
  const inputs: Inputs = specs
  const { step: _, ...fields } = inputs
  if ('rows' in part) return { ...givenRows(fields, part.rows, padId), step: counts } as never
  const [chosen, rejected] = halves(givenRows(fieldsOf(inputs), [...part.chosen, ...part.rejected], padId), part.chosen.length)
  return { chosen, rejected, step: counts } as never
}
