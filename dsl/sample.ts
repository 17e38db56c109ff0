import * as build from './build/index.js'
import type { Id } from './dtype.js'
import { type Size, toSize } from './size.js'
import { type AnyTensor, type Axis, axesMissingFrom, type Tensor } from './tensor.js'

/*
 * Chance on a device. A key is an input of two words, `u32({ word: 2 })`; the keys and bits are those of `random` on the host, so a
 * program draws the same numbers on every backend, and at any batch. A key with more axes is a key for each of their places.
 *
 * Element i in row-major order of the new axes is draw i of its key. A key serves one purpose: fold it for the next.
 */

const { binary, broadcastTo, constant, gather, iota, map, ordinals, select } = build

const mul = binary('mul')
const add = binary('add')

type Sizes<N extends string> = Readonly<Record<N, Size | number>>

const axesOf = (sizes: Sizes<string>): readonly Axis[] => Object.entries(sizes).map(([name, size]) => ({ name, size: toSize(size) }))

const wordOf = (key: AnyTensor, i: 0 | 1): AnyTensor => gather('word')(constant(i, 'i32'))(key)

/** A word of the block of each counter, whose high word is `high`. */
const block = (word: 0 | 1, key: AnyTensor, counter: AnyTensor, high: number): AnyTensor => {
  const [k0, k1] = [wordOf(key, 0), wordOf(key, 1)]
  const everywhere = broadcastTo([...counter.axes, ...axesMissingFrom(counter, k0)])
  return map(word === 0 ? 'threefry0' : 'threefry1', everywhere(k0), k1, everywhere(counter), constant(high, 'u32'))
}

const draws = (key: AnyTensor, counter: AnyTensor): AnyTensor => block(0, key, map('toU32', counter), 0)

/** ⌊bits / 2⁸⌋·2⁻²⁴, in [0, 1). */
const unit = (bits: AnyTensor): AnyTensor => mul(map('toF32', binary('shiftRight')(bits, 8)), 2 ** -24)

/** (⌊bits / 2⁹⌋ + ½)·2⁻²³, in (0, 1): neither end, so that its logarithms are finite. */
const open = (bits: AnyTensor): AnyTensor => mul(add(map('toF32', binary('shiftRight')(bits, 9)), 0.5), 2 ** -23)

type Draw<D extends 'u32' | 'f32'> = <N extends string>(
  sizes: Sizes<N>,
) => <A extends string>(key: Tensor<A | 'word', 'u32'>) => Tensor<Exclude<A, 'word'> | N, D>

const overNew =
  (made: (key: AnyTensor, ordinal: AnyTensor) => AnyTensor) =>
  (sizes: Sizes<string>) =>
  (key: AnyTensor): AnyTensor =>
    made(key, ordinals(axesOf(sizes)))

/** Random words over new axes of the given sizes: `random.bits(key, i)`. No gradient. */
export const randomBits = overNew(draws) as unknown as Draw<'u32'>

/** Numbers in [0, 1) over new axes: `random.uniform(key, i)`, a multiple of 2⁻²⁴. No gradient. */
export const randomUniform = overNew((key, i) => unit(draws(key, i))) as unknown as Draw<'f32'>

/**
 * Standard normal numbers over new axes by Box and Muller: √(−2 ln(1 − u))·cos(2πv), u and v the uniform draws 2i and 2i + 1, as
 * `random.normal(key, i)` up to rounding. No gradient.
 */
export const randomNormal = overNew((key, i) => {
  const [u, v] = [0, 1].map((k) => unit(draws(key, add(mul(i, 2), k))))
  return mul(map('sqrt', mul(map('log1p', map('neg', u!)), -2)), map('cos', mul(v!, 2 * Math.PI)))
}) as unknown as Draw<'f32'>

/**
 * A place along the axis, drawn with the probabilities softmax(logits): the greatest of logits − ln(−ln u), one u in (0, 1) for each logit
 * (Gumbel's trick). A logit of −∞ is never taken unless all are, which gives 0; the first NaN is taken where there is one. No gradient.
 */
export const randomCategorical = ((axis: string) => (key: AnyTensor) => (logits: AnyTensor) => {
  const own = logits.axes.filter(({ name }) => !wordOf(key, 0).axes.some((shared) => shared.name === name))
  const noise = map('neg', map('log', map('neg', map('log', open(draws(key, ordinals(own)))))))
  return build.argMax(axis)(add(logits, noise))
}) as unknown as <N extends string>(
  axis: N,
) => <B extends string>(
  key: Tensor<B | 'word', 'u32'>,
) => <A extends string>(logits: Tensor<A | Exclude<B, 'word'> | N>) => Tensor<Exclude<A, N> | Exclude<B, 'word'>, 'i32'>

/** For each n from 0 to 2³² − 1, the n-th key derived from a key, a stream of its own: `random.fold(key, n)`. No gradient. */
export const foldKey = ((n: AnyTensor | number) => (key: AnyTensor) => {
  const counter = typeof n === 'number' ? constant(n, 'u32') : map('toU32', n)
  const [first, second] = [block(0, key, counter, 2 ** 31), block(1, key, counter, 2 ** 31)]
  const word = iota('word', 2)
  const spread = broadcastTo([...first.axes, ...word.axes])
  return select(spread(binary('equal')(word, 0)), spread(first), spread(second))
}) as unknown as <B extends string = never, I extends Id = 'u32'>(
  n: Tensor<B, I> | number,
) => <A extends string>(key: Tensor<A | 'word', 'u32'>) => Tensor<A | B | 'word', 'u32'>
