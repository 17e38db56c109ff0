import { type AnySpec, bool, f32, i32, isSpec, type Loss } from '../../dsl/index.js'
import * as E from 'fp-ts/lib/Either.js'
import type { LossError } from './loss-error.js'

const token = f32('batch', 'time')

/** What a policy's loss may read, by name, and how it may declare it. A row is a sequence that the policy wrote. */
export const fieldSpecs = {
  /** log π, of the policy being trained, at temperature 1. */
  logProbs: [token],
  /** −Σ π·log π, of the policy being trained. */
  entropies: [token],
  /** Of the critic being trained. */
  values: [token],
  oldLogProbs: [token],
  refLogProbs: [token],
  /** log μ, of the distribution that was drawn from. */
  rolloutLogProbs: [token],
  advantages: [f32('batch'), token],
  oldValues: [token],
  returns: [token],
  /** What a row's trajectory earned; as tokens, at the row's last. */
  rewards: [f32('batch'), token],
  /** Rows of one problem have one group. */
  group: [i32('batch')],
  memoryAdvantages: [f32('batch', 'turn')],
  /** The turn whose memory a token writes, −1 for none. */
  spanTurn: [i32('batch', 'time')],
  responseMask: [bool('batch', 'time')],
} as const

export type Field = keyof typeof fieldSpecs

/** What the whole step counts, for losses that divide by it: a loss that declares `step` so may be run in parts. */
export const stepSpecs = { tokens: f32(), rows: f32(), nonEmptyRows: f32() }

const specText = ({ dtype, axes }: AnySpec): string => `${dtype}[${axes.map(({ name }) => name).join(', ')}]`

const isField = (name: string): name is Field => name in fieldSpecs

/** The inputs of a loss. */
export type Inputs = Readonly<Record<string, unknown>>

/** What a step is given: specs, in records of records. That much alone is known before a loss is. */
export interface BatchSpecs {
  readonly [field: string]: AnySpec
}

const faultOf = (loss: string, path: string, name: string, spec: unknown): LossError | undefined => {
  if (name === 'step') return undefined
  if (!isField(name)) return { tag: 'unknownField', loss, input: path, has: [...Object.keys(fieldSpecs), 'step'] }
  const takes: readonly AnySpec[] = fieldSpecs[name]
  const declared = isSpec(spec) ? specText(spec) : 'a record'
  return takes.some((take) => specText(take) === declared)
    ? undefined
    : { tag: 'wrongField', loss, input: path, declared, takes: takes.map(specText).join(' or ') }
}

/** Whether a loss is of pairs of responses. */
export const isOfPairs = (inputs: Inputs): boolean => 'chosen' in inputs && 'rejected' in inputs

/** The fields that a loss reads, of single responses or of either of a pair. */
export const fieldsOf = (inputs: Inputs): Inputs => (isOfPairs(inputs) ? (inputs['chosen'] as Inputs) : inputs)

const faultsOf = (loss: string, inputs: Inputs, under = ''): readonly LossError[] =>
  Object.entries(inputs).flatMap(([name, spec]) => {
    if (under === '' && isOfPairs(inputs) && (name === 'chosen' || name === 'rejected')) return faultsOf(loss, spec as Inputs, `${name}.`)
    const fault = faultOf(loss, `${under}${name}`, name, spec)
    return fault === undefined ? [] : [fault]
  })

/** The inputs of a loss that reads nothing but what a trainer has; else the first reason why not. */
export const readable = ({ name, inputs }: Loss<unknown>): E.Either<LossError, Inputs> => {
  const tree = inputs as Inputs
  const [fault] = faultsOf(name, tree)
  if (fault !== undefined) return E.left(fault)
  return 'logProbs' in fieldsOf(tree) ? E.right(tree) : E.left({ tag: 'noLogProbs', loss: name })
}
