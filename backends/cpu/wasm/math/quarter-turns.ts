import { call, fn, i32, i64, set, type Expr, type Local } from '../asm.js'

/** The binary digits of 2/π, in words of 32, after one word of zeros. */
const twoOverPi = [0x0, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab] as const

const wordAt = (index: Local<'i32'>): Expr<'i64'> =>
  twoOverPi.reduce<Expr<'i64'>>((others, word, i) => i64.select(i32.eq(index, i), BigInt(word), others), i64.const(0n))

export const word = fn('twoOverPiWord', { i: 'i32' }, 'i64', {}, ({ i }) => [wordAt(i)])

/** The 32 digits of 2/π that follow the first `bit` of the table. */
export const digits = fn('twoOverPiDigits', { bit: 'i32' }, 'i64', { i: 'i32' }, ({ bit, i }) => [
  set(i, i32.shr_u(bit, 5)),
  i64.shr_u(i64.shl(i64.or(i64.shl(call(word, { i }), 32n), call(word, { i: i32.add(i, 1) })), i64.extend_i32_u(i32.and(bit, 31))), 32n),
])

/**
 * x·2/π modulo 4, as an integer with 62 bits behind the point (Payne and Hanek), for finite x ≥ 2¹⁶. With x = m·2ᵉ and m of 24 bits
 * only 96 digits of 2/π matter: those before are whole multiples of 4 when multiplied by x, those after are below the last place.
 */
export const quarterTurns = fn('quarterTurns', { x: 'f32' }, 'i64', { bits: 'i32', at: 'i32', m: 'i64' }, ({ x, bits, at, m }) => [
  set(bits, i32.reinterpret_f32(x)),
  set(m, i64.extend_i32_u(i32.or(i32.and(bits, 0x7fffff), 0x800000))),
  set(at, i32.sub(i32.shr_u(bits, 23), 120)), // e + 30: past the word of zeros and the first e − 2 digits
  i64.add(
    i64.shl(i64.mul(m, call(digits, { bit: at })), 32n),
    i64.add(i64.mul(m, call(digits, { bit: i32.add(at, 32) })), i64.shr_u(i64.mul(m, call(digits, { bit: i32.add(at, 64) })), 32n)),
  ),
])
