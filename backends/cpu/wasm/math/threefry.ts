import { type Expr, i32, i32x4, local, v128 } from '../asm.js'
import type { Instr, ValType, WasmFunction } from '../encode/module.js'
import { fourOf, type MathFunction } from './formula.js'

/** What the rounds are made of, in one integer or in the four lanes of a vector. */
interface Words<T extends ValType> {
  readonly type: T
  readonly add: (x: Expr<T>, y: Expr<T> | number) => Expr<T>
  readonly xor: (x: Expr<T>, y: Expr<T> | number) => Expr<T>
  readonly rotl: (x: Expr<T>, by: number) => Expr<T>
}

const inOne: Words<'i32'> = { type: 'i32', add: i32.add, xor: i32.xor, rotl: i32.rotl }

const inFour: Words<'v128'> = {
  type: 'v128',
  add: i32x4.add,
  xor: (x, y) => v128.xor(x, typeof y === 'number' ? i32x4.const(y) : y),
  rotl: (x, by) => v128.or(i32x4.shl(x, by), i32x4.shr_u(x, 32 - by)),
}

const evenRotations = [13, 15, 26, 6] as const
const oddRotations = [17, 29, 16, 24] as const

/** Threefry-2x32, 20 rounds unrolled, in x0 and x1. */
const rounds = <T extends ValType>({ type, add, xor, rotl }: Words<T>): readonly Instr[] => {
  const at = (name: string): Expr<T> => local(type, name)
  const put = (name: string, value: Expr<T>): Instr => ({ tag: 'set', name, value })
  const keys = ['k0', 'k1', 'k2'] as const
  const round = (by: number): readonly Instr[] => [put('x0', add(at('x0'), at('x1'))), put('x1', xor(rotl(at('x1'), by), at('x0')))]
  const inject = (s: number): readonly Instr[] => [
    put('x0', add(at('x0'), at(keys[s % 3]!))),
    put('x1', add(add(at('x1'), at(keys[(s + 1) % 3]!)), s)),
  ]
  return [
    put('k2', xor(xor(at('k0'), at('k1')), 0x1bd11bda)),
    put('x0', add(at('c0'), at('k0'))),
    put('x1', add(at('c1'), at('k1'))),
    ...[1, 2, 3, 4, 5].flatMap((s) => [...(s % 2 === 1 ? evenRotations : oddRotations).flatMap(round), ...inject(s)]),
  ]
}

const words = <T extends ValType>(name: string, result: 'x0' | 'x1', words: Words<T>): WasmFunction => {
  const variables = (...names: readonly string[]) => names.map((name) => ({ name, type: words.type }))
  return {
    name,
    params: variables('k0', 'k1', 'c0', 'c1'),
    results: [words.type],
    locals: variables('k2', 'x0', 'x1'),
    body: [...rounds(words), local(words.type, result)],
    exported: false,
  }
}

const both = (name: string, result: 'x0' | 'x1'): MathFunction => ({
  one: words(name, result, inOne),
  four: words(fourOf(name), result, inFour),
})

export const threefry0 = both('threefry0', 'x0')
export const threefry1 = both('threefry1', 'x1')
