import { callees } from './encode/children.js'
import type { WasmFunction } from './encode/module.js'
import { erf } from './math/erf.js'
import { exp, expm1, sigmoid, tanh } from './math/exp.js'
import type { MathFunction } from './math/formula.js'
import { log, log1p, softplus } from './math/log.js'
import { mod } from './math/mod.js'
import { pow } from './math/pow.js'
import { digits, quarterTurns, word } from './math/quarter-turns.js'
import { rsqrt } from './math/root.js'
import { threefry0, threefry1 } from './math/threefry.js'
import { cos, sin, trigHelpers } from './math/trig.js'

/**
 * The functions that WebAssembly has no instruction for, of one number and of four lanes; a lane has the bits that the function of one
 * number gives, with relaxed SIMD and without. Those of which training has many are computed in float32, four lanes at a time, and are
 * wrong by less than 2 ulp: exp, log and log1p by 0.9, expm1 and tanh by 1.3, sigmoid and softplus by 1.7. The others of floats compute in
 * float64 and round once, so that a result is the nearest float32 or, where the true value lies almost midway between two, the other one.
 */
export const mathFunctions = {
  exp,
  expm1,
  log,
  log1p,
  rsqrt,
  tanh,
  sigmoid,
  softplus,
  pow,
  mod,
  erf,
  sin,
  cos,
  threefry0,
  threefry1,
} satisfies Readonly<Record<string, MathFunction>>

export type MathName = keyof typeof mathFunctions

export const mathNames = Object.keys(mathFunctions) as readonly MathName[]

/** Every function, in the order in which modules have them. */
const all: readonly WasmFunction[] = [
  word,
  digits,
  quarterTurns,
  ...trigHelpers,
  ...Object.values(mathFunctions).flatMap(({ one, four }) => [one, four]),
]

const byName = new Map(all.map((fn) => [fn.name, fn]))

const withCallees = (name: string): readonly string[] => {
  const fn = byName.get(name)
  return fn === undefined ? [] : [name, ...callees(fn.body).flatMap(withCallees)]
}

/** The functions of these names and those that they call, each once, in an order that does not depend on how they were asked for. */
export const withHelpers = (names: readonly string[]): readonly WasmFunction[] => {
  const needed = new Set(names.flatMap(withCallees))
  return all.filter(({ name }) => needed.has(name))
}
