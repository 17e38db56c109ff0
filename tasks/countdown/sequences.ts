import { type Expression, type Operator, operators } from './arithmetic.js'
import type { Count, Problem } from './problems.js'
import { colonId, equalsId, operatorIds, stopId } from './words.js'

/** Numbers, `=`, target, `:`; in tokens. */
export const promptLength = (count: Count): number => count + 3

/** Numbers, the operators between them, `.`; in tokens. A rollout needs no more. */
export const answerLength = (count: Count): number => 2 * count

/** The tokens of a problem up to and including `:`. */
export const prompt = ({ numbers, target }: Problem): readonly number[] => [...numbers, equalsId, target, colonId]

/** The tokens of an expression up to and including `.`. */
export const answer = ({ head, tail }: Expression): readonly number[] => [
  head,
  ...tail.flatMap(({ op, operand }) => [operatorIds[op], operand]),
  stopId,
]

/** An answer that earns 1, for the supervised warm start: the expression that the problem was made from. */
export const oracle = ({ solution }: Problem): readonly number[] => answer(solution)

const isNumeral = (token: number | undefined): token is number => token !== undefined && token >= 0 && token < 100
const operatorOf = (token: number | undefined): Operator | undefined => operators.find((op) => operatorIds[op] === token)

/** The expression before the first `.`; undefined where the tokens are not number (operator number)… and then `.`. What follows is not read. */
export const parse = (tokens: readonly number[]): Expression | undefined => {
  const end = tokens.indexOf(stopId)
  const head = tokens[0]
  if (end % 2 !== 1 || !isNumeral(head)) return undefined
  const tail: Expression['tail'][number][] = []
  for (let at = 1; at < end; at += 2) {
    const op = operatorOf(tokens[at])
    const operand = tokens[at + 1]
    if (op === undefined || !isNumeral(operand)) return undefined
    tail.push({ op, operand })
  }
  return { head, tail }
}
