import { pipe } from 'fp-ts/lib/function.js'
import { add, countAlong, countTrue, div, greater, maskedSum, maximum, type Scalar, sum, type Tensor, toF32 } from '../dsl/index.js'
import type { Tokens } from './batch.js'
import { type Setting, toScalar } from './setting.js'

/** A number that the batch itself has, at least 1, plus ε: an empty sum over it is 0, and so is its gradient. */
export interface Count<What extends string> {
  readonly count: What
  /** 0 if not said. */
  readonly epsilon?: number
}

/**
 * How a loss per token becomes one number:
 *
 *   Σ_b [ Σ_t m·x / within_b ] / across
 *
 * `within` divides the sum of a row: the row's response tokens, or the padded width of the batch. `across` divides the sum of the rows:
 * all response tokens, all rows, or the rows that have a response token. A number or scalar stands for a count that the batch cannot know,
 * such as the tokens of all the micro-batches of a step.
 */
export interface Aggregation {
  readonly within: Setting | Count<'tokens' | 'width'>
  readonly across: Setting | Count<'tokens' | 'rows' | 'nonEmptyRows'>
}

/** Σ over all response tokens / their number: every token weighs the same, so a long response weighs more. */
export const tokenMean: Aggregation = { within: 1, across: { count: 'tokens' } }

/** The mean, over rows that have a response token, of the row's sum. */
export const sequenceMeanTokenSum: Aggregation = { within: 1, across: { count: 'nonEmptyRows' } }

/** The mean, over rows that have a response token, of the row's mean: every response weighs the same. */
export const sequenceMeanTokenMean: Aggregation = { within: { count: 'tokens' }, across: { count: 'nonEmptyRows' } }

/** The mean over all rows of the row's mean; a row without a response token counts as 0. GRPO as published: arXiv:2402.03300, eq. 3. */
export const rowMeanTokenMean: Aggregation = { within: { count: 'tokens' }, across: { count: 'rows' } }

/** Σ / (rows · width): a divisor that does not depend on the lengths, and so no bias for long or short responses. Dr. GRPO: arXiv:2503.20783, section 3. */
export const fixedDivisor = (width: Setting | Count<'width'> = { count: 'width' }): Aggregation => ({
  within: width,
  across: { count: 'rows' },
})

type Mask = Tensor<Tokens, 'bool'>

const rowTokens = (mask: Mask): Tensor<'batch'> => pipe(mask, countTrue('time'))

const within: { readonly [What in 'tokens' | 'width']: (mask: Mask) => (rows: Tensor<'batch'>, epsilon: number) => Tensor<'batch'> } = {
  tokens: (mask) => (rows, epsilon) => div(rows, atLeastOne(rowTokens(mask), epsilon)),
  width: (mask) => (rows, epsilon) => div(rows, atLeastOne(pipe(mask, toF32, countAlong('time')), epsilon)),
}

const across: { readonly [What in 'tokens' | 'rows' | 'nonEmptyRows']: (mask: Mask) => Scalar } = {
  tokens: (mask) => pipe(mask, countTrue('batch', 'time')),
  rows: (mask) => pipe(mask, toF32, countAlong('batch')),
  nonEmptyRows: (mask) => pipe(greater(rowTokens(mask), 0), countTrue('batch')),
}

const atLeastOne = <A extends string>(count: Tensor<A>, epsilon = 0): Tensor<A> => add(maximum(count, 1), epsilon)

/** Whether a divisor is what the batch counts, and no number that is given. */
export const isCount = <What extends string>(divisor: Setting | Count<What>): divisor is Count<What> =>
  typeof divisor === 'object' && 'count' in divisor

/** What the micro-batches of a step have in all: response tokens, rows, and rows that have a response token. */
export type StepCounts = Readonly<Record<'tokens' | 'rows' | 'nonEmptyRows', Setting>>

/** The counts of one micro-batch; those of a step are their sums, taken before its first micro-batch is run. */
export const stepCounts = (mask: Mask): { readonly [C in keyof StepCounts]: Scalar } => ({
  tokens: across.tokens(mask),
  rows: across.rows(mask),
  nonEmptyRows: across.nonEmptyRows(mask),
})

/**
 * The aggregation of a micro-batch of a step: what it counts across rows is the whole step's. So the losses of the micro-batches add up to that
 * of the step as one batch, and their gradients to its gradient, where the loss is one of separable rows.
 */
export const ofStep =
  (step: StepCounts) =>
  (how: Aggregation): Aggregation =>
    isCount(how.across) ? { ...how, across: atLeastOne(toScalar(step[how.across.count]), how.across.epsilon) } : how

/** For each row, the sum of its response tokens over `within`. What lies outside the mask reaches neither it nor its gradient. */
export const rowsOf =
  (divisor: Aggregation['within']) =>
  (mask: Mask) =>
  (x: Tensor<Tokens>): Tensor<'batch'> => {
    const sums = pipe(x, maskedSum(mask, 'time'))
    return isCount(divisor) ? within[divisor.count](mask)(sums, divisor.epsilon ?? 0) : div(sums, toScalar(divisor))
  }

/** One number from a value per row. */
export const acrossRows =
  (divisor: Aggregation['across']) =>
  (mask: Mask) =>
  (rows: Tensor<'batch'>): Scalar =>
    div(pipe(rows, sum('batch')), isCount(divisor) ? atLeastOne(across[divisor.count](mask), divisor.epsilon) : toScalar(divisor))

/** One number from a value per token. What lies outside the mask reaches neither it nor its gradient. No response token at all gives 0. */
export const aggregate =
  (how: Aggregation) =>
  (mask: Mask) =>
  (x: Tensor<Tokens>): Scalar =>
    pipe(x, rowsOf(how.within)(mask), acrossRows(how.across)(mask))
