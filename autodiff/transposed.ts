import { type AnyTensor, build, type NodeOf } from '../dsl/index.js'
import { customShares } from './custom.js'
import { isLinearIn } from './linear.js'
import type { Pullbacks } from './pullbacks.js'
import { cotangentOf, cotangents } from './reverse.js'

/**
 * The tangent of a custom function's result: the transpose of its vjp, so that the two are adjoint whatever the vjp is,
 *
 *   ẏ = Σᵢ (∂x̄ᵢ/∂ȳ)ᵀ·ẋᵢ
 *
 * found as the vjp is found of anything: reverse mode of x̄ by ȳ, by the given rules. A vjp that is not linear has no transpose.
 */
export const transposedVjp = (
  node: NodeOf<'custom'>,
  y: AnyTensor,
  tangentOf: (x: AnyTensor) => AnyTensor | undefined,
  table: Pullbacks,
): AnyTensor | undefined => {
  const ct = build.alias(build.filled(0, y))
  const moved = customShares(ct, node, y).flatMap(([x, share]) => {
    const tangent = tangentOf(x)
    return tangent === undefined ? [] : [[share, tangent] as const]
  })
  if (moved.length === 0) return undefined
  const shares = moved.map(([share]) => share)
  return isLinearIn(ct, shares)
    ? cotangentOf(cotangents(moved, [ct], table), ct)
    : build.refused(y, { tag: 'notLinear', op: `custom '${node.name}'`, at: node.at })
}
