import type { Draw, Split } from '../environment.js'
import { sideOf } from '../split.js'
import { evaluate, type Expression, numbersOf, operators } from './arithmetic.js'

/** How many numbers a problem gives. */
export type Count = 2 | 3

export interface Problem {
  /** Ascending, each from 1 to 12. */
  readonly numbers: readonly number[]
  /** From 0 to 99. */
  readonly target: number
  /** An expression that reaches the target; often one of several. */
  readonly solution: Expression
}

export interface CountdownConfig {
  /** 3 unless given. */
  readonly count?: Count
  /** `train` unless given. */
  readonly split?: Split
}

const operands = Array.from({ length: 12 }, (_, n) => n + 1)

const extensions = ({ head, tail }: Expression): readonly Expression[] =>
  operators.flatMap((op) => operands.map((operand) => ({ head, tail: [...tail, { op, operand }] })))

const expressions = (count: number): readonly Expression[] =>
  count === 1 ? operands.map((head) => ({ head, tail: [] })) : expressions(count - 1).flatMap(extensions)

const problemOf = (solution: Expression): Problem => ({ numbers: numbersOf(solution), target: evaluate(solution), solution })

/**
 * The side of the split that a problem is on, a function of its numbers and target alone: held out where the hash of the
 * bytes numbers…, target is a multiple of 10, which is about one problem in ten.
 */
export const splitOf = ({ numbers, target }: Pick<Problem, 'numbers' | 'target'>): Split => sideOf([...numbers, target])

/**
 * Every problem of a split, once for each expression of `count` numbers from 1 to 12 whose value is from 0 to 99, in a fixed order.
 * A uniform draw from the list is a uniform draw of such an expression: no rejection, and every problem has a solution.
 */
export const problems = ({ count = 3, split = 'train' }: CountdownConfig = {}): readonly Problem[] =>
  expressions(count)
    .map(problemOf)
    .filter((made) => made.target >= 0 && made.target <= 99 && splitOf(made) === split)

/** The i-th problem drawn from a pool, with replacement. Throws a RangeError where `draw` gives what is not in [0, pool.length). */
export const problem = (pool: readonly Problem[], draw: Draw, i: number): Problem => {
  const at = draw(i, pool.length)
  const drawn = pool[at]
  if (drawn === undefined) throw new RangeError(`draw ${i} gave ${at}, outside a pool of ${pool.length} problems`)
  return drawn
}
