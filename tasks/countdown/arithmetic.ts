export const operators = ['+', '-', '*'] as const
export type Operator = (typeof operators)[number]

/** head op operand op operand …, read with the usual precedence. */
export interface Expression {
  readonly head: number
  readonly tail: readonly { readonly op: Operator; readonly operand: number }[]
}

interface Running {
  readonly sum: number
  readonly term: number
}

/** What an operator and its right operand do to a sum whose last term may still be multiplied. */
const steps: { readonly [O in Operator]: (running: Running, operand: number) => Running } = {
  '+': ({ sum, term }, operand) => ({ sum: sum + term, term: operand }),
  '-': ({ sum, term }, operand) => ({ sum: sum + term, term: -operand }),
  '*': ({ sum, term }, operand) => ({ sum, term: term * operand }),
}

/** The value of an expression: × before + and −, otherwise from the left. */
export const evaluate = ({ head, tail }: Expression): number => {
  const { sum, term } = tail.reduce((running: Running, { op, operand }) => steps[op](running, operand), { sum: 0, term: head })
  return sum + term
}

/** The numbers of an expression in ascending order, repeated as often as they occur. */
export const numbersOf = ({ head, tail }: Expression): readonly number[] =>
  [head, ...tail.map(({ operand }) => operand)].toSorted((a, b) => a - b)
