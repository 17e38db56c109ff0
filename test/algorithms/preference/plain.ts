import type { Pairs, Responses } from './pairs.js'

export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x))
export const logSigmoid = (x: number): number => Math.log(sigmoid(x))

/** A row's elements inside the mask. */
export const kept = (row: readonly number[], mask: readonly number[]): readonly number[] => row.filter((_, t) => mask[t] === 1)

export const total = (xs: readonly number[]): number => xs.reduce((x, y) => x + y, 0)

/** 0 of nothing, as in the library. */
export const mean = (xs: readonly number[]): number => (xs.length === 0 ? 0 : total(xs) / xs.length)

/** The rows that a mean counts. */
export const pairPlaces = ({ chosen, rejected }: Pairs): readonly number[] =>
  [...chosen.responseMask.keys()].filter((b) => [...chosen.responseMask[b]!, ...rejected.responseMask[b]!].includes(1))

export const hasPairs = (pairs: Pairs): boolean => pairPlaces(pairs).length > 0

/** The tokens' ratios of a response as one number; `other` is how many tokens the other response of its pair has. */
export type Reduce = (ratios: readonly number[], other: number) => number

const sum: Reduce = (ratios) => total(ratios)

/** The log-ratios of each pair that a mean counts. */
export const ratiosOf = (pairs: Pairs, reduce: Reduce = sum): readonly { readonly c: number; readonly r: number }[] =>
  pairPlaces(pairs).map((b) => {
    const of = ({ logProbs, refLogProbs, responseMask }: Responses): readonly number[] =>
      kept(
        logProbs[b]!.map((x, t) => x - refLogProbs[b]![t]!),
        responseMask[b]!,
      )
    const [chosen, rejected] = [of(pairs.chosen), of(pairs.rejected)]
    return { c: reduce(chosen, rejected.length), r: reduce(rejected, chosen.length) }
  })
