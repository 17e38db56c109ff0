import { type Expr, shuffle } from './asm.js'

type Vector = Expr<'v128'>

const lower = [0, 1, 2, 3, 4, 5, 6, 7]
const upper = lower.map((byte) => byte + 8)

/** The upper half of a vector in both halves; x is computed twice. */
export const upperHalf = (x: Vector): Vector => shuffle([...upper, ...upper], x, x)

/** The lower half of x below that of y. */
export const lowerHalves = (x: Vector, y: Vector): Vector => shuffle([...lower, ...lower.map((byte) => byte + 16)], x, y)
