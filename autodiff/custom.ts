import { type AnyTensor, applied, type NodeOf } from '../dsl/index.js'
import type { Shares } from './transposes.js'

/** Where the cotangent of a custom function's result y goes: to each operand what the rule makes of it; without a rule, through the body. */
export const customShares = (ct: AnyTensor, { x, given, vjp }: NodeOf<'custom'>, y: AnyTensor): Shares =>
  vjp === undefined
    ? [[x, ct]]
    : applied(vjp, [ct, y, ...given]).flatMap((share, i) => (share === 'none' ? [] : [[given[i]!, share] as const]))
