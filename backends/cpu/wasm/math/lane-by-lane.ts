import { type Expr, f32x4, local } from '../asm.js'
import type { WasmFunction } from '../encode/module.js'
import { applied, fourOf, operandsOf } from './formula.js'

/** The four results of a function of numbers, one after the other. */
export const eachLane = (fn: WasmFunction, operands: readonly Expr<'v128'>[]): Expr<'v128'> => {
  const of = (lane: number): Expr<'f32'> => applied(fn, ...operands.map((x) => f32x4.extract_lane(lane, x)))
  return [1, 2, 3].reduce((made, lane) => f32x4.replace_lane(lane, made, of(lane)), f32x4.splat(of(0)))
}

/** For what has branches of its own: the function of four lanes calls that of one. */
export const laneByLane = (fn: WasmFunction): WasmFunction => {
  const params = operandsOf(fn.params.length, 'v128')
  return {
    name: fourOf(fn.name),
    params,
    results: ['v128'],
    locals: [],
    body: [
      eachLane(
        fn,
        params.map(({ name }) => local('v128', name)),
      ),
    ],
    exported: false,
  }
}
