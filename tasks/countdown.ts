/*
 * Countdown: make a target from a few numbers, each used once.
 *
 *   3 5 7 = 26 : 3 * 7 + 5 .
 *   └ prompt ──┘ └ answer ─┘
 *
 * One turn, no data file, and a check that is exact: the smallest task on which a policy gradient can be seen to work.
 * The prompt lists its numbers in ascending order, so that it does not give away their order in the answer and two prompts
 * of one problem cannot fall on either side of the split.
 */
import * as E from 'fp-ts/lib/Either.js'

export type Operator = '+' | '-' | '*'
export type Count = 2 | 3
export type Split = 'train' | 'heldOut'
/** A whole number in [0, n), the same each time for the same i. */
export type Draw = (i: number, n: number) => number

/** head op operand op operand …, read with the usual precedence. */
export interface Expression {
  readonly head: number
  readonly tail: readonly { readonly op: Operator; readonly operand: number }[]
}

export interface Problem {
  /** Ascending, each from 1 to 12. */
  readonly numbers: readonly number[]
  /** From 0 to 99. */
  readonly target: number
  /** An expression that reaches the target; often one of several. */
  readonly solution: Expression
}

export interface CountdownConfig {
  readonly count?: Count
  readonly split?: Split
}

export interface UnknownWord {
  readonly tag: 'unknownWord'
  readonly word: string
  /** Counted in words, from 0. */
  readonly position: number
}

// ── words ──

const operators = ['+', '-', '*'] as const
const numerals = Array.from({ length: 100 }, (_, n) => n)

/** All 107 words by their ids. The id of a number from 0 to 99 is that number. */
export const vocabulary: readonly string[] = [...numerals.map(String), ...operators, '=', ':', '.', '<pad>']
const ids: ReadonlyMap<string, number> = new Map(vocabulary.map((word, id) => [word, id]))

const operatorIds: { readonly [O in Operator]: number } = { '+': 100, '-': 101, '*': 102 }
const equalsId = 103
const colonId = 104
/** The id of `.`, at which an answer ends: the stop token of a rollout. */
export const stopId = 105
/** The id of the padding after an answer. */
export const padId = 106

/** The ids of a text whose words are parted by spaces; the first word outside the vocabulary, if there is one. */
export const encode = (text: string): E.Either<UnknownWord, readonly number[]> => {
  const found: number[] = []
  for (const [position, word] of text
    .split(' ')
    .filter((piece) => piece !== '')
    .entries()) {
    const id = ids.get(word)
    if (id === undefined) return E.left({ tag: 'unknownWord', word, position })
    found.push(id)
  }
  return E.right(found)
}

/** The text of some ids, single-spaced. An id outside the vocabulary, as a model with a rounded-up vocabulary may emit, reads `<id>`. */
export const decode = (tokens: readonly number[]): string => tokens.map((id) => vocabulary[id] ?? `<${id}>`).join(' ')

// ── arithmetic ──

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
const numbersOf = ({ head, tail }: Expression): readonly number[] => [head, ...tail.map(({ operand }) => operand)].toSorted((a, b) => a - b)

// ── problems ──

const operands = numerals.slice(1, 13)

const extensions = ({ head, tail }: Expression): readonly Expression[] =>
  operators.flatMap((op) => operands.map((operand) => ({ head, tail: [...tail, { op, operand }] })))

const expressions = (count: number): readonly Expression[] =>
  count === 1 ? operands.map((head) => ({ head, tail: [] })) : expressions(count - 1).flatMap(extensions)

const problemOf = (solution: Expression): Problem => ({ numbers: numbersOf(solution), target: evaluate(solution), solution })

/** h ⊕ (h ≫ by), then times a constant: the step of MurmurHash3's finalizer, after which every bit of h counts in the remainder. */
const mix = (h: number, by: number, factor: number): number => Math.imul(h ^ (h >>> by), factor)

/** FNV-1a of some bytes, finished as MurmurHash3 is: a u32. */
const hash = (bytes: readonly number[]): number => {
  const h = bytes.reduce((state, byte) => Math.imul(state ^ byte, 0x01000193), 0x811c9dc5)
  return mix(mix(mix(h, 16, 0x85ebca6b), 13, 0xc2b2ae35), 16, 1) >>> 0
}

/**
 * The side of the split that a problem is on, a function of its numbers and target alone: held out where the hash of the
 * bytes numbers…, target is a multiple of 10, which is about one problem in ten.
 */
export const splitOf = ({ numbers, target }: Pick<Problem, 'numbers' | 'target'>): Split =>
  hash([...numbers, target]) % 10 === 0 ? 'heldOut' : 'train'

/**
 * Every problem of a split, once for each expression of `count` numbers from 1 to 12 whose value is from 0 to 99, in a fixed order.
 * A uniform draw from the list is a uniform draw of such an expression: no rejection, and every problem has a solution.
 */
export const problems = ({ count = 3, split = 'train' }: CountdownConfig = {}): readonly Problem[] =>
  expressions(count)
    .map(problemOf)
    .filter((made) => made.target >= 0 && made.target <= 99 && splitOf(made) === split)

/** The i-th problem drawn from a pool, with replacement. */
export const problem = (pool: readonly Problem[], draw: Draw, i: number): Problem => {
  const at = draw(i, pool.length)
  const drawn = pool[at]
  if (drawn === undefined) throw new RangeError(`draw ${i} gave ${at}, outside a pool of ${pool.length} problems`)
  return drawn
}

// ── sequences ──

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

export interface CountdownBatch {
  readonly problems: readonly Problem[]
  /** [batch][promptLength] */
  readonly promptIds: readonly (readonly number[])[]
  /** [batch][answerLength], the oracle's. */
  readonly answerIds: readonly (readonly number[])[]
}

/** Problems `from`, `from` + 1, … of a pool. All prompts have one length, and all answers have one, as a pool has one count of numbers. */
export const batch = (
  pool: readonly Problem[],
  draw: Draw,
  { from, size }: { readonly from: number; readonly size: number },
): CountdownBatch => {
  const drawn = Array.from({ length: size }, (_, row) => problem(pool, draw, from + row))
  return { problems: drawn, promptIds: drawn.map(prompt), answerIds: drawn.map(oracle) }
}

// ── reward ──

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

export type RewardKind = 'exact' | 'distance'

/** What a valid expression earns that misses the target by d. */
const missed: { readonly [K in RewardKind]: (d: number) => number } = {
  exact: () => 0.1,
  distance: (d) => 0.1 + 0.8 / (1 + d),
}

const sameNumbers = (x: readonly number[], y: readonly number[]): boolean => x.length === y.length && x.every((n, i) => n === y[i])

/**
 * The reward of an answer's tokens, in [0, 1]:
 *
 *   0                   malformed, or not each given number exactly once
 *   1                   the value is the target
 *   0.1                 another value, with `exact`
 *   0.1 + 0.8/(1 + d)   another value at distance d = |value − target|, with `distance`: 0.5 for the nearest miss, falling to 0.1
 *
 * `distance` tells apart the answers of a group that all miss, and so gives a gradient where `exact` gives none.
 */
export const reward =
  (kind: RewardKind) =>
  ({ numbers, target }: Problem, tokens: readonly number[]): number => {
    const expression = parse(tokens)
    if (expression === undefined || !sameNumbers(numbersOf(expression), numbers)) return 0
    const d = Math.abs(evaluate(expression) - target)
    return d === 0 ? 1 : missed[kind](d)
  }
