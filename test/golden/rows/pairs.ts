import { pipe } from 'fp-ts/lib/function.js'
import type { Pair } from '../../../algorithms/index.js'
import { type DType, slice, type Tensor } from '../../../dsl/index.js'
import type { GoldenCase } from '../golden-file.js'

/** The peers stack a batch: first all chosen responses, then all rejected. */
export const halves =
  (name: string, { inputs }: GoldenCase) =>
  <A extends string, D extends DType>(x: Tensor<A | 'batch', D>): Pair<Tensor<A | 'batch', D>> => {
    const pairs = (inputs[name] as readonly unknown[]).length / 2
    return { chosen: pipe(x, slice('batch', { to: pairs })), rejected: pipe(x, slice('batch', { from: pairs })) }
  }

type Sides<T> = { readonly [K in keyof T]: T[K] extends Pair<infer X> ? X : never }

/** A record of pairs as a pair of records. */
export const zipPairs = <T extends Readonly<Record<string, Pair<unknown>>>>(fields: T): Pair<Sides<T>> => {
  const of = (side: keyof Pair<unknown>) => Object.fromEntries(Object.entries(fields).map(([name, pair]) => [name, pair[side]])) as Sides<T>
  return { chosen: of('chosen'), rejected: of('rejected') }
}
