import { callees } from './encode/children.js'
import type { WasmFunction } from './encode/module.js'
import { erf } from './math/erf.js'
import { exp, exp64, expm1, expm1_64, sigmoid, tanh } from './math/exp.js'
import { log, log1p, log1p_64, log64, softplus } from './math/log.js'
import { mod } from './math/mod.js'
import { pow } from './math/pow.js'
import { digits, quarterTurns, word } from './math/quarter-turns.js'
import { threefry0, threefry1 } from './math/threefry.js'
import { cos, sin, sinQuarters } from './math/trig.js'

const helpers: readonly WasmFunction[] = [exp64, expm1_64, log64, log1p_64, word, digits, quarterTurns, sinQuarters]

export interface MathFunction<F extends WasmFunction> {
  readonly fn: F
  /** The helpers that it calls, directly or not. */
  readonly needs: readonly string[]
}

const needs = (fn: WasmFunction): readonly string[] => {
  const called = new Set(callees(fn.body))
  const direct = helpers.filter(({ name }) => called.has(name))
  return [...new Set([...direct.flatMap(needs), ...direct.map(({ name }) => name)])]
}

const withNeeds = <F extends WasmFunction>(fn: F): MathFunction<F> => ({ fn, needs: needs(fn) })

/**
 * The functions that WebAssembly has no instruction for. Those of floats compute in float64 and round once, so that a
 * result is the nearest float32 or, where the true value lies almost midway between two, the other one.
 */
export const mathFunctions = {
  exp: withNeeds(exp),
  expm1: withNeeds(expm1),
  log: withNeeds(log),
  log1p: withNeeds(log1p),
  tanh: withNeeds(tanh),
  sigmoid: withNeeds(sigmoid),
  softplus: withNeeds(softplus),
  pow: withNeeds(pow),
  mod: withNeeds(mod),
  erf: withNeeds(erf),
  sin: withNeeds(sin),
  cos: withNeeds(cos),
  threefry0: withNeeds(threefry0),
  threefry1: withNeeds(threefry1),
} satisfies Readonly<Record<string, MathFunction<WasmFunction>>>

export type MathName = keyof typeof mathFunctions

export const mathNames = Object.keys(mathFunctions) as readonly MathName[]

/** These functions and the helpers they need, each once, in an order that does not depend on how they were asked for. */
export const withHelpers = (names: readonly MathName[]): readonly WasmFunction[] => {
  const needed = new Set(names.flatMap((name) => mathFunctions[name].needs))
  return [
    ...helpers.filter(({ name }) => needed.has(name)),
    ...mathNames.filter((name) => names.includes(name)).map((name) => mathFunctions[name].fn),
  ]
}
