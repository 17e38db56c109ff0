import { type Expr, f32, f32x4, f64x2, i32, i32x4, v128 } from '../asm.js'
import type { Instr } from '../encode.js'
import { lowerHalves, upperHalf } from '../halves.js'
import { mathFunctions, type MathName } from '../math.js'
import { applied, type MathFunction, type Naming } from '../math/formula.js'

/** An operand that is used twice and computed once: as it is computed, and as it is read again. In that order. */
export type Share = <T extends 'i32' | 'f32' | 'v128'>(type: T, x: Expr<T>) => readonly [first: Expr<T>, again: Expr<T>]

/** What an operation becomes, given its operands. */
type Spelled = (operands: readonly Instr[], share: Share) => Instr

/** A lane has the bits that the same operation on numbers gives. */
export interface Spelling {
  readonly one: Spelled
  readonly four: Spelled
}

type I32 = Expr<'i32'>
export type Lanes = Expr<'v128'>

export const unary = <T extends 'i32' | 'f32'>(
  one: (x: Expr<T>, share: Share) => Instr,
  four: (x: Lanes, share: Share) => Instr,
): Spelling => ({
  one: ([x], share) => one(x as Expr<T>, share),
  four: ([x], share) => four(x as Lanes, share),
})

export const binary = <T extends 'i32' | 'f32'>(one: (x: Expr<T>, y: Expr<T>) => Instr, four: (x: Lanes, y: Lanes) => Instr): Spelling => ({
  one: ([x, y]) => one(x as Expr<T>, y as Expr<T>),
  four: ([x, y]) => four(x as Lanes, y as Lanes),
})

export const same = unary(
  (x) => x,
  (x) => x,
)

/** What a function makes of a vector, written where it stands. */
const written = (inPlace: NonNullable<MathFunction['inPlace']>, x: Lanes, share: Share): Lanes => {
  const before: Instr[] = []
  const named: Naming = <E extends Instr>(value: E): E => {
    const [first, again] = share('v128', value as Lanes)
    if (first.tag === 'tee') before.push({ ...first, tag: 'set' })
    return again as Instr as E
  }
  const value = inPlace(named(x), named)
  return v128.block('in place', [...before, value])
}

export const math = (name: MathName): Spelling => {
  const { one, four, inPlace }: MathFunction = mathFunctions[name]
  return {
    one: (operands) => applied(one, ...operands),
    four: (operands, share) => (inPlace === undefined ? applied(four, ...operands) : written(inPlace, operands[0] as Lanes, share)),
  }
}

/** For what vectors have no instruction for. */
const laneByLane = (one: Spelled): Spelling => ({
  one,
  four: (operands, share) => {
    const shared = operands.map((x) => share('v128', x as Lanes))
    const of = (lane: number): I32 =>
      one(
        shared.map(([first, again]) => i32x4.extract_lane(lane, lane === 0 ? first : again)),
        share,
      ) as I32
    return [1, 2, 3].reduce((made, lane) => i32x4.replace_lane(lane, made, of(lane)), i32x4.splat(of(0)))
  },
})

/** The one number that fills all lanes, where that is how they were made. */
const splatted = (x: Instr): I32 | undefined =>
  x.tag === 'numeric' && x.op === 'i32x4.splat'
    ? (x.args[0] as I32)
    : x.tag === 'const' && x.type === 'v128'
      ? i32.const(Number(x.bits & 0xffffffffn))
      : undefined

/** Vectors are shifted by one number. */
export const shift = (one: (x: I32, by: I32) => I32, four: (x: Lanes, by: I32) => Lanes): Spelling => {
  const numbers: Spelled = ([x, y]) => one(x as I32, y as I32)
  return {
    one: numbers,
    four: ([x, y], share) => {
      const by = splatted(y!)
      return by === undefined ? laneByLane(numbers).four([x!, y!], share) : four(x as Lanes, by)
    },
  }
}

/** A divisor that traps nothing: 1 for 0, whose remainder is 0. */
const divisor = (y: I32, again: I32): I32 => i32.or(y, i32.eqz(again))

/** The remainder r, or r + y where r is not 0 and its sign is not that of y. */
export const floorMod = laneByLane(([x, y], share) => {
  const [y1, y2] = share('i32', y as I32)
  const [r1, r2] = share('i32', i32.rem_s(x as I32, divisor(y1, y2)))
  const differ = i32.and(i32.ne(r2, 0), i32.lt_s(i32.xor(r2, y2), 0))
  return i32.add(r1, i32.and(y2, i32.sub(0, differ)))
})

export const remainderOfU32 = laneByLane(([x, y], share) => {
  const [y1, y2] = share('i32', y as I32)
  return i32.rem_u(x as I32, divisor(y1, y2))
})

/** In float64, two lanes at a time: whole numbers below 2³¹ are exact there, and no quotient is rounded up to a whole one. */
const quotientOfLanes = (x: Lanes, y: Lanes, share: Share): Lanes => {
  const [x1, x2] = share('v128', x)
  const [y1, y2] = share('v128', y)
  const quotients = (a: Lanes, b: Lanes): Lanes =>
    i32x4.trunc_sat_f64x2_s_zero(f64x2.div(f64x2.convert_low_i32x4_s(a), f64x2.convert_low_i32x4_s(b)))
  return lowerHalves(quotients(x1, y1), quotients(upperHalf(x2), upperHalf(y2)))
}

export const quotient: Spelling = {
  one: ([x, y]) => i32.div_s(x as I32, y as I32),
  four: ([x, y], share) => quotientOfLanes(x as Lanes, y as Lanes, share),
}

export const remainder: Spelling = {
  one: ([x, y]) => i32.rem_s(x as I32, y as I32),
  four: ([x, y], share) => {
    const [x1, x2] = share('v128', x as Lanes)
    const [y1, y2] = share('v128', y as Lanes)
    return i32x4.add(i32x4.neg(i32x4.mul(quotientOfLanes(x1, y1, share), y2)), x2)
  },
}

/** x where `isChosen(x, y)`, else y. */
const choose =
  (isChosen: (x: I32, y: I32) => I32): Spelled =>
  ([x, y], share) => {
    const [x1, x2] = share('i32', x as I32)
    const [y1, y2] = share('i32', y as I32)
    return i32.select(isChosen(x2, y2), x1, y1)
  }

export const extreme = (isChosen: (x: I32, y: I32) => I32, four: (x: Lanes, y: Lanes) => Lanes): Spelling => ({
  one: choose(isChosen),
  four: ([x, y]) => four(x as Lanes, y as Lanes),
})

/** |x| = (x xor s) − s, with s = −1 for negative x, else 0. */
export const absolute = unary<'i32'>((x, share) => {
  const [x1, x2] = share('i32', x)
  const [s1, s2] = share('i32', i32.shr_s(x2, 31))
  return i32.sub(i32.xor(x1, s1), s2)
}, i32x4.abs)

export const signOfI32 = unary<'i32'>(
  (x, share) => {
    const [x1, x2] = share('i32', x)
    return i32.sub(i32.gt_s(x1, 0), i32.lt_s(x2, 0))
  },
  (x, share) => {
    const [x1, x2] = share('v128', x)
    return i32x4.sub(i32x4.lt_s(x1, 0), i32x4.gt_s(x2, 0))
  },
)

const signBits = i32x4.const(-(2 ** 31))

/** ±1 with the sign of x; ±0 and NaN are themselves. */
export const signOfF32 = unary<'f32'>(
  (x, share) => {
    const [x1, x2] = share('f32', x)
    return f32.select(f32.gt(f32.abs(x2), 0), f32.copysign(1, x1), x2)
  },
  (x, share) => {
    const [x1, x2] = share('v128', x)
    return v128.bitselect(v128.bitselect(x1, f32x4.const(1), signBits), x2, f32x4.gt(f32x4.abs(x2), 0))
  },
)

/** x, or `bound` where x is beyond it. */
export const notBeyond = (bound: number, isBeyond: (x: I32, bound: number) => I32, four: (x: Lanes, bound: number) => Lanes): Spelling =>
  unary<'i32'>(
    (x, share) => {
      const [x1, x2] = share('i32', x)
      return i32.select(isBeyond(x2, bound), bound, x1)
    },
    (x) => four(x, bound),
  )
