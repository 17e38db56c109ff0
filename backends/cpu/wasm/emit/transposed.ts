import type { Statement } from '../../../../compiler/index.js'
import * as wasm from '../asm.js'
import type { Instr } from '../encode.js'
import { placeOf } from './expr.js'
import { emitFour, type FourScope } from './four.js'
import { whole } from './strides.js'
import { fresh, type Place, type Vector, type Writing } from './writing.js'

const { v128, shuffle } = wasm

type Store = Extract<Statement, { readonly tag: 'store' }>

const sameAddress = (x: Place, y: Place): boolean =>
  x.address.tag === 'get' && y.address.tag === 'get' && (x.address as wasm.Local<'i32'>).name === (y.address as wasm.Local<'i32'>).name

/** By how many elements a store moves at each turn, where that is a number. */
const knownStride = ({ at }: Store, { four }: FourScope): number | undefined => {
  const stride = four.strides(at)
  return stride && whole(stride)
}

/** Whether a store lies behind another, at so many bytes. */
const isBehind = (w: Writing, first: Store, other: Store, bytes: number, scope: FourScope): boolean => {
  const stride = knownStride(other, scope)
  const [from, to] = [placeOf(w, first.buffer, first.at, scope), placeOf(w, other.buffer, other.at, scope)]
  return (
    other.buffer === first.buffer &&
    other.value.dtype === 'f32' &&
    stride !== undefined &&
    stride === knownStride(first, scope) &&
    sameAddress(from, to) &&
    to.offset === from.offset + bytes
  )
}

/** How many statements it takes to store four times to the scratch memory; 0 where there is something else among them than names. */
export const fourStores = (w: Writing, statements: readonly Statement[]): number => {
  let stores = 0
  for (const [i, s] of statements.entries())
    if (s.tag === 'store' && s.buffer === w.scratch) {
      if (++stores === 4) return i + 1
    } else if (s.tag !== 'let') return 0
  return 0
}

/** Whether stores lie side by side, all by the same stride. */
export const areAside = (w: Writing, stores: readonly Store[], scope: FourScope): boolean =>
  stores.every((store, i) => isBehind(w, stores[0]!, store, 4 * i, scope))

const numbers = (...of: readonly number[]): readonly number[] => of.flatMap((n) => [4 * n, 4 * n + 1, 4 * n + 2, 4 * n + 3])
const [low, high] = [numbers(0, 4, 1, 5), numbers(2, 6, 3, 7)]
const [lows, highs] = [numbers(0, 1, 4, 5), numbers(2, 3, 6, 7)]

/** Store the values of four turns, those of each side by side. */
export const storeTransposed = (w: Writing, stores: readonly Store[], scope: FourScope): readonly Instr[] => {
  const kept = (value: Vector): readonly [Instr, Vector] => {
    const variable = fresh(w, 'v128', 'v')
    return [wasm.set(variable, value), variable]
  }
  const values = stores.map(({ value }) => kept(emitFour(w, value, scope)))
  const [a, b, c, d] = values.map(([, variable]) => variable) as [Vector, Vector, Vector, Vector]
  const pairs = [shuffle(low, a, b), shuffle(low, c, d), shuffle(high, a, b), shuffle(high, c, d)].map(kept)
  const [ab, cd, ef, gh] = pairs.map(([, variable]) => variable) as [Vector, Vector, Vector, Vector]
  const turns = [shuffle(lows, ab, cd), shuffle(highs, ab, cd), shuffle(lows, ef, gh), shuffle(highs, ef, gh)]
  const { buffer, at } = stores[0]!
  const { address, offset } = placeOf(w, buffer, at, scope)
  const stride = 4 * (knownStride(stores[0]!, scope) ?? 0)
  return [...values, ...pairs]
    .map(([set]) => set)
    .concat(turns.map((turn, i) => v128.store(address, turn, { offset: offset + i * stride, align: 4 })))
}
