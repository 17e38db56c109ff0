import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'
import { describe } from 'vitest'
import { discountedReturns, gae, onLastToken } from '../../../algorithms/index.js'
import { f32 } from '../../../dsl/index.js'
import { law } from '../../law.js'
import { allClose, close, reader, run } from '../batches.js'
import { anyEpisodes, type Episodes, episodeSpec, responsePlaces, valuesOf } from './episodes.js'

const anyDiscount = fc.constantFrom(0, 0.5, 0.9, 1)

/** A row's response tokens alone, each with what it is made of. */
interface Token {
  readonly reward: number
  readonly value: number
  readonly place: number
}

const tokensOf = (episodes: Episodes, b: number): readonly Token[] =>
  responsePlaces(episodes, b).map((place) => ({
    reward: episodes.tokens.rewards[b]![place]!,
    value: episodes.tokens.values[b]![place]!,
    place,
  }))

const errorsOf = (tokens: readonly Token[], gamma: number): readonly number[] =>
  tokens.map(({ reward, value }, i) => reward + gamma * (tokens[i + 1]?.value ?? 0) - value)

/** Σ aˡ·x of what lies l tokens behind. */
const discountedSum = (x: readonly number[], a: number): number => x.reduceRight((behind, e) => e + a * behind, 0)

const estimates = reader({ ...episodeSpec, gamma: f32(), lambda: f32() }, ({ gamma, lambda, ...given }) => ({
  ...gae({ gamma, lambda })(given),
}))

/** What `gae` says of a row's response tokens, each pair with what plain numbers say. */
const holdsOfGae = (
  episodes: Episodes,
  gamma: number,
  lambda: number,
  expected: (tokens: readonly Token[], i: number) => number,
  of: 'advantages' | 'returns' = 'advantages',
): boolean => {
  const { sizes, data } = estimates({ ...valuesOf(episodes), gamma, lambda })[of]
  return episodes.rows.scores.every((_, b) => {
    const tokens = tokensOf(episodes, b)
    return tokens.every(({ place }, i) => close(data[b * sizes[1]! + place]!, expected(tokens, i)))
  })
}

const few = { runs: 40 }

describe('generalized advantage estimation', () => {
  law(
    'with λ = 1 is the discounted return less the value',
    fc.property(anyEpisodes, anyDiscount, (episodes, gamma) =>
      holdsOfGae(
        episodes,
        gamma,
        1,
        (tokens, i) =>
          discountedSum(
            tokens.slice(i).map(({ reward }) => reward),
            gamma,
          ) - tokens[i]!.value,
      ),
    ),
    few,
  )

  law(
    'with λ = 0 is the error of one step',
    fc.property(anyEpisodes, anyDiscount, (episodes, gamma) => holdsOfGae(episodes, gamma, 0, (tokens, i) => errorsOf(tokens, gamma)[i]!)),
    few,
  )

  law(
    'is the sum of the errors behind, discounted by γλ',
    fc.property(anyEpisodes, anyDiscount, anyDiscount, (episodes, gamma, lambda) =>
      holdsOfGae(episodes, gamma, lambda, (tokens, i) => discountedSum(errorsOf(tokens, gamma).slice(i), gamma * lambda)),
    ),
    few,
  )

  law(
    'has as return the advantage and the value',
    fc.property(anyEpisodes, anyDiscount, anyDiscount, (episodes, gamma, lambda) =>
      holdsOfGae(
        episodes,
        gamma,
        lambda,
        (tokens, i) => discountedSum(errorsOf(tokens, gamma).slice(i), gamma * lambda) + tokens[i]!.value,
        'returns',
      ),
    ),
    few,
  )

  law(
    'gives the settings of a program what numbers give',
    fc.property(anyEpisodes, anyDiscount, anyDiscount, (episodes, gamma, lambda) => {
      const scalars = estimates({ ...valuesOf(episodes), gamma, lambda }).advantages
      const { numbers } = run(episodeSpec, valuesOf(episodes), (given) => ({ numbers: gae({ gamma, lambda })(given).advantages }))
      return allClose(numbers, scalars)
    }),
    few,
  )
})

describe('the return', () => {
  const untilTool = reader({ ...episodeSpec, gamma: f32() }, ({ rewards, responseMask, gamma }) => ({
    returns: discountedReturns({ gamma, outside: 'reset' })(responseMask)(rewards),
  }))

  law(
    'that a tool ends is that of the tokens before the next one that is not of the response',
    fc.property(anyEpisodes, anyDiscount, (episodes, gamma) => {
      const { sizes, data } = untilTool({ ...valuesOf(episodes), gamma }).returns
      return episodes.rows.scores.every((_, b) =>
        episodes.tokens.responseMask[b]!.every((m, t, mask) => {
          const length = [...mask, 0].indexOf(0, t) - t
          const expected = m === 0 ? 0 : discountedSum(episodes.tokens.rewards[b]!.slice(t, t + length), gamma)
          return close(data[b * sizes[1]! + t]!, expected)
        }),
      )
    }),
    few,
  )
})

describe('a reward on the last token', () => {
  const onLast = reader(episodeSpec, ({ scores, responseMask }) => ({ made: pipe(scores, onLastToken(responseMask)) }))

  law(
    'is the row’s there, 0 elsewhere, and nowhere in a row without tokens',
    fc.property(anyEpisodes, (episodes) => {
      const { sizes, data } = onLast(valuesOf(episodes)).made
      return episodes.rows.scores.every((score, b) => {
        const last = responsePlaces(episodes, b).at(-1)
        return Array.from({ length: sizes[1]! }).every((_, t) => data[b * sizes[1]! + t] === (t === last ? score : 0))
      })
    }),
    few,
  )
})
