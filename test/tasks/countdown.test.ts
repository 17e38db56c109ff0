import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { expect, test } from 'vitest'
import { fold, integer, key } from '../../dsl/random.js'
import {
  answer,
  answerLength,
  decode,
  encode,
  evaluate,
  oracle,
  padId,
  parse,
  problem,
  problems,
  prompt,
  promptLength,
  reward,
  splitOf,
  stopId,
  vocabulary,
} from '../../tasks/countdown/index.js'
import type { Count, Expression, Problem, RewardKind } from '../../tasks/countdown/index.js'
import type { Draw, Split } from '../../tasks/environment.js'
import { law } from '../law.js'

const counts = [2, 3] as const
const splits = ['train', 'heldOut'] as const
const kinds = ['exact', 'distance'] as const

const pools: { readonly [C in Count]: { readonly [S in Split]: readonly Problem[] } } = {
  2: { train: problems({ count: 2 }), heldOut: problems({ count: 2, split: 'heldOut' }) },
  3: { train: problems(), heldOut: problems({ split: 'heldOut' }) },
}

const drawOf =
  (seed: number): Draw =>
  (i, n) =>
    integer(fold(key(seed), 0), i, n)

const anyCount = fc.constantFrom(...counts)
const anySplit = fc.constantFrom(...splits)
const anyKind = fc.constantFrom(...kinds)
const anyPool = fc.tuple(anyCount, anySplit).map(([count, split]) => pools[count][split])
const anyProblem = fc.tuple(anyPool, fc.nat(), fc.nat()).map(([pool, seed, i]) => problem(pool, drawOf(seed), i))
const anyToken = fc.nat({ max: vocabulary.length - 1 })

const anyStep = fc.record({ op: fc.constantFrom('+' as const, '-' as const, '*' as const), operand: fc.nat({ max: 99 }) })
const anyExpression: fc.Arbitrary<Expression> = fc.record({ head: fc.nat({ max: 99 }), tail: fc.array(anyStep, { maxLength: 6 }) })

/** Read from the right: the last + or − divides a text into a left side and a term, and a text without one at its last ×. */
const valueOfText = (text: string): number => {
  const words = text.trim().split(' ')
  const at = Math.max(words.lastIndexOf('+'), words.lastIndexOf('-'))
  const cut = at > 0 ? at : words.lastIndexOf('*')
  if (cut < 0) return Number(text)
  const [left, right] = [valueOfText(words.slice(0, cut).join(' ')), valueOfText(words.slice(cut + 1).join(' '))]
  return words[cut] === '+' ? left + right : words[cut] === '-' ? left - right : left * right
}

const solutionText = (tokens: readonly number[]): string => decode(tokens.slice(0, tokens.indexOf(stopId)))
const distance = ({ target }: Problem, tokens: readonly number[]): number => Math.abs(valueOfText(solutionText(tokens)) - target)

/** The oracle's answer with its numbers in another order: `order` permutes the positions of the numbers. */
const rearranged = ({ head, tail }: Expression, order: readonly number[]): Expression => {
  const numbers = [head, ...tail.map(({ operand }) => operand)]
  const at = (i: number): number => numbers[order[i]!]!
  return { head: at(0), tail: tail.map(({ op }, i) => ({ op, operand: at(i + 1) })) }
}
const anyOrder = (n: number): fc.Arbitrary<readonly number[]> =>
  fc.shuffledSubarray(
    Array.from({ length: n }, (_, i) => i),
    { minLength: n },
  )

// ── words ──

test('the vocabulary has 107 different words, and a number is its own id', () => {
  expect(vocabulary).toHaveLength(107)
  expect(new Set(vocabulary).size).toBe(107)
  expect(vocabulary.slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, n) => String(n)))
  expect([vocabulary[stopId], vocabulary[padId]]).toEqual(['.', '<pad>'])
})

law(
  'encoding what was decoded gives the same tokens',
  fc.property(fc.array(anyToken), (tokens) => {
    expect(encode(decode(tokens))).toEqual(E.right(tokens))
  }),
)

law(
  'decoding what was encoded gives the same words',
  fc.property(fc.array(fc.constantFrom(...vocabulary)), (words) => {
    expect(E.map(decode)(encode(words.join(' ')))).toEqual(E.right(words.join(' ')))
  }),
)

test('a word outside the vocabulary is named with its position', () => {
  expect(encode('3 5 / 7 100')).toEqual(E.left({ tag: 'unknownWord', word: '/', position: 2 }))
  expect(encode('100')).toEqual(E.left({ tag: 'unknownWord', word: '100', position: 0 }))
})

test('an id outside the vocabulary is printed, not lost', () => {
  expect(decode([3, 127])).toBe('3 <127>')
})

// ── arithmetic ──

law(
  'an expression has the value that an independent reading of its text has',
  fc.property(anyExpression, (expression) => {
    expect(evaluate(expression)).toBe(valueOfText(solutionText(answer(expression))))
  }),
)

law(
  'parsing an answer gives back its expression, whatever follows the full stop',
  fc.property(anyExpression, fc.array(anyToken), (expression, rest) => {
    expect(parse([...answer(expression), ...rest])).toEqual(expression)
  }),
)

// ── problems ──

test('the example of the documentation', () => {
  const example: Problem = {
    numbers: [3, 5, 7],
    target: 26,
    solution: {
      head: 3,
      tail: [
        { op: '*', operand: 7 },
        { op: '+', operand: 5 },
      ],
    },
  }
  expect(decode([...prompt(example), ...oracle(example)])).toBe('3 5 7 = 26 : 3 * 7 + 5 .')
  expect(reward('exact')(example, oracle(example))).toBe(1)
})

law(
  'a problem has ascending numbers from 1 to 12, a target from 0 to 99, and is on the side of the split that was asked for',
  fc.property(anyCount, anySplit, fc.nat(), fc.nat(), (count, split, seed, i) => {
    const { numbers, target, solution } = problem(pools[count][split], drawOf(seed), i)
    expect(numbers).toHaveLength(count)
    expect(numbers).toEqual([solution.head, ...solution.tail.map(({ operand }) => operand)].toSorted((x, y) => x - y))
    expect(numbers.every((n) => n >= 1 && n <= 12)).toBe(true)
    expect(target >= 0 && target <= 99 && Number.isInteger(target)).toBe(true)
    expect(splitOf({ numbers, target })).toBe(split)
  }),
)

test('the pools hold every expression with a target from 0 to 99 once, one split or the other', () => {
  const operatorsOf = { 2: 3, 3: 9 }
  for (const count of counts) {
    const texts = splits.flatMap((split) => pools[count][split].map((p) => decode(oracle(p))))
    expect(new Set(texts).size).toBe(texts.length)
    expect(texts.length).toBeLessThan(12 ** count * operatorsOf[count])
  }
  expect(counts.map((count) => splits.map((split) => pools[count][split].length))).toEqual([
    [331, 24],
    [9384, 1009],
  ])
})

const identity = ({ numbers, target }: Problem): string => `${numbers.join(' ')} = ${target}`

test('no problem is both trained on and held out, and about one in ten is held out', () => {
  for (const count of counts) {
    const train = new Set(pools[count].train.map(identity))
    const heldOut = new Set(pools[count].heldOut.map(identity))
    expect([...heldOut].filter((p) => train.has(p))).toEqual([])
    const share = heldOut.size / (heldOut.size + train.size)
    expect(share > 0.05 && share < 0.15).toBe(true)
  }
})

law(
  'the same key gives the same problems',
  fc.property(anyPool, fc.nat(), fc.nat(), (pool, seed, i) => {
    expect(problem(pool, drawOf(seed), i)).toEqual(problem(pool, drawOf(seed), i))
  }),
)

law(
  'a prompt and an answer are as long as the count of numbers says',
  fc.property(anyCount, anySplit, fc.nat(), fc.nat(), (count, split, seed, i) => {
    const drawn = problem(pools[count][split], drawOf(seed), i)
    expect(prompt(drawn)).toHaveLength(promptLength(count))
    expect(oracle(drawn)).toHaveLength(answerLength(count))
  }),
)

test('different indices and different keys give different problems', () => {
  const drawn = (seed: number) => Array.from({ length: 100 }, (_, i) => identity(problem(pools[3].train, drawOf(seed), i)))
  expect(new Set(drawn(1)).size).toBeGreaterThan(90)
  expect(drawn(1)).not.toEqual(drawn(2))
})

test('a draw outside its pool is an impossible state', () => {
  expect(() => problem(pools[2].train, (_i, n) => n, 0)).toThrow(RangeError)
})

// ── reward ──

law(
  "the oracle's answer always earns 1",
  fc.property(anyProblem, anyKind, fc.array(anyToken), (p, kind, rest) => {
    expect(reward(kind)(p, oracle(p))).toBe(1)
    expect(reward(kind)(p, [...oracle(p), ...rest])).toBe(1)
  }),
)

const anyRearrangement = anyProblem.chain((p) =>
  anyOrder(p.numbers.length).map((order) => ({ problem: p, tokens: answer(rearranged(p.solution, order)) })),
)

law(
  'another order of the numbers earns 1 if its value is the target, else 0.1, or 0.1 + 0.8/(1 + d) by distance',
  fc.property(anyRearrangement, ({ problem: p, tokens }) => {
    const d = distance(p, tokens)
    expect(reward('exact')(p, tokens)).toBe(d === 0 ? 1 : 0.1)
    expect(reward('distance')(p, tokens)).toBe(d === 0 ? 1 : 0.1 + 0.8 / (1 + d))
  }),
)

law(
  'the distance reward orders misses: nearer is better, and only the target earns more than 0.5',
  fc.property(anyRearrangement, fc.nat({ max: 99 }), ({ problem: p, tokens }, target) => {
    const other = { ...p, target }
    const [here, there] = [reward('distance')(p, tokens), reward('distance')(other, tokens)]
    expect(Math.sign(here - there)).toBe(Math.sign(distance(other, tokens) - distance(p, tokens)))
    expect(here === 1 || (here > 0.1 && here <= 0.5)).toBe(true)
  }),
)

law(
  'a number that was not given, left out or used twice earns 0',
  fc.property(anyProblem, anyKind, fc.nat(), fc.nat({ max: 99 }), (p, kind, at, other) => {
    const tokens = oracle(p)
    const place = 2 * (at % p.numbers.length)
    fc.pre(other !== tokens[place])
    expect(reward(kind)(p, tokens.with(place, other))).toBe(0)
    expect(reward(kind)(p, tokens.slice(2))).toBe(0)
    expect(reward(kind)(p, [tokens[0]!, 100, ...tokens])).toBe(0)
  }),
)

const isWellFormed = (tokens: readonly number[]): boolean => /^\d+( [-+*] \d+)* \.( |$)/.test(decode(tokens))

law(
  'malformed answers earn 0',
  fc.property(
    anyProblem,
    anyKind,
    fc.oneof(fc.array(anyToken, { maxLength: 8 }), fc.array(fc.integer({ min: -200, max: 200 }), { maxLength: 8 })),
    (p, kind, tokens) => {
      fc.pre(!isWellFormed(tokens))
      expect(parse(tokens)).toBeUndefined()
      expect(reward(kind)(p, tokens)).toBe(0)
    },
  ),
)

law(
  'an answer with one token removed, or one put in before its full stop, earns 0',
  fc.property(anyProblem, anyKind, fc.nat(), fc.nat({ max: stopId - 1 }), (p, kind, at, token) => {
    const tokens = oracle(p)
    const place = at % tokens.length
    expect(reward(kind)(p, tokens.toSpliced(place, 1))).toBe(0)
    expect(reward(kind)(p, tokens.toSpliced(place, 0, token))).toBe(0)
  }),
)

test.each<[string, RewardKind, number]>([
  ['3 * 7 + 5 .', 'exact', 1],
  ['5 + 3 * 7 .', 'exact', 1],
  ['5 + 7 * 3 . <pad> <pad>', 'distance', 1],
  ['3 + 5 * 7 .', 'exact', 0.1],
  ['3 * 5 + 7 .', 'distance', 0.1 + 0.8 / 5],
  ['21 + 5 .', 'exact', 0],
  ['3 * 7 + 5', 'exact', 0],
  ['3 * 7 + 5 + .', 'exact', 0],
  ['3 7 * 5 + .', 'exact', 0],
  ['3 * 7 + 5 = 26 .', 'exact', 0],
  ['<pad> 3 * 7 + 5 .', 'exact', 0],
  ['.', 'exact', 0],
  ['', 'distance', 0],
])('`%s` for 3 5 7 = 26 earns, by %s, %d', (text, kind, expected) => {
  const given: Problem = { numbers: [3, 5, 7], target: 26, solution: { head: 26, tail: [] } }
  expect(E.map((tokens: readonly number[]) => reward(kind)(given, tokens))(encode(text))).toEqual(E.right(expected))
})
