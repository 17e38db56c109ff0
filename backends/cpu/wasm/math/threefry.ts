import { fn, i32, type Expr, type Local, set } from '../asm.js'
import type { Instr } from '../encode.js'

type Words = Readonly<Record<'k0' | 'k1' | 'c0' | 'c1' | 'k2' | 'x0' | 'x1', Local<'i32'>>>

const evenRotations = [13, 15, 26, 6] as const
const oddRotations = [17, 29, 16, 24] as const

/** Threefry-2x32, 20 rounds unrolled, in x₀ and x₁. */
const rounds = ({ k0, k1, c0, c1, k2, x0, x1 }: Words): readonly Instr[] => {
  const keys = [k0, k1, k2] as const
  const round = (by: number): readonly Instr[] => [set(x0, i32.add(x0, x1)), set(x1, i32.xor(i32.rotl(x1, by), x0))]
  const inject = (s: number): readonly Instr[] => [set(x0, i32.add(x0, keys[s % 3]!)), set(x1, i32.add(i32.add(x1, keys[(s + 1) % 3]!), s))]
  return [
    set(k2, i32.xor(i32.xor(k0, k1), 0x1bd11bda)),
    set(x0, i32.add(c0, k0)),
    set(x1, i32.add(c1, k1)),
    ...[1, 2, 3, 4, 5].flatMap((s) => [...(s % 2 === 1 ? evenRotations : oddRotations).flatMap(round), ...inject(s)]),
  ]
}

const word = (name: string, which: (words: Words) => Expr<'i32'>) =>
  fn(name, { k0: 'i32', k1: 'i32', c0: 'i32', c1: 'i32' }, 'i32', { k2: 'i32', x0: 'i32', x1: 'i32' }, (words) => [
    ...rounds(words),
    which(words),
  ])

export const threefry0 = word('threefry0', ({ x0 }) => x0)
export const threefry1 = word('threefry1', ({ x1 }) => x1)
