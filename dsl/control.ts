import * as build from './build/index.js'
import type { DType } from './dtype.js'
import { type AnyTensor, isTensor, type Tensor } from './tensor.js'
import { leaves, mapTree } from './tree.js'

/** What a vjp gives back: for each operand a cotangent of its axes; 'none' for integers and bools, and wherever no gradient shall go. */
export type Cotangents<X extends readonly AnyTensor[]> = {
  readonly [I in keyof X]: X[I] extends Tensor<infer A> ? Tensor<A> | 'none' : 'none'
}

export interface Custom<X extends readonly AnyTensor[], Y extends AnyTensor> {
  /** What it is called where graphs and gradients are shown. */
  readonly name: string
  readonly forward: (...xs: X) => Y
  /** Its derivative: from the cotangent of the result, the result and the operands, the cotangent of each operand. */
  readonly vjp?: (ct: Y, y: Y, ...xs: X) => Cotangents<X>
}

/**
 * A function of tensors with its own derivative:
 *
 *     const clipped = custom({
 *       name: 'clippedGradient',
 *       forward: (x: Tensor<'time'>) => x,
 *       vjp: (ct) => [pipe(ct, clip(-1, 1))],
 *     })
 *
 * Its value is that of `forward`. Reverse mode is the `vjp`, x̄ᵢ = vjp(ȳ, y, …x)ᵢ, and its own derivative is that of the expressions in it;
 * forward mode is its transpose, ẏ = Σᵢ (∂x̄ᵢ/∂ȳ)ᵀ·ẋᵢ, so the vjp must be linear in ȳ for that: one that is not, as the one above, has reverse
 * mode alone, and asking for forward mode is an error of the program. Gradient: into the operands; a tensor that `forward` only closes over
 * has none. Without a `vjp` it is `forward` itself under a name, derivative and all. A vjp whose cotangents differ in number, axes or type from
 * the operands is an error of the program. `axgrad check` compares it with differences of `forward`.
 */
export const custom = build.custom as unknown as <X extends readonly AnyTensor[], Y extends AnyTensor>(
  parts: Custom<X, Y>,
) => (...xs: X) => Y

const aliased = mapTree(isTensor)(build.alias)

/**
 * The same function, which keeps nothing for its derivative but its arguments: the backward pass computes again what it needs of all that
 * depends on them, as late as it can. Values and gradients are the same, bit for bit; memory is paid in time.
 *
 *     const block = checkpoint((x: Tensor<'batch' | 'time' | 'embed'>, layer: Layer) => add(x, feedForward(layer)(x)))
 *
 * Arguments and result are trees of tensors. What the function makes only of tensors that it closes over is kept. Gradient: that of the
 * function, also into tensors that it closes over. One inside another computes its body a third time, and keeps less meanwhile.
 * Source: Chen et al., arXiv:1604.06174.
 */
export const checkpoint = ((f: (...args: readonly unknown[]) => unknown) =>
  (...args: readonly unknown[]): unknown => {
    const own = aliased(args) as readonly unknown[]
    const given = leaves(isTensor)(own).map(({ value }) => value)
    return mapTree(isTensor)((x) => build.checkpoint(x, given))(f(...own))
  }) as <F extends (...args: never[]) => unknown>(f: F) => F

/**
 * x, written to memory: what reads it reads the same bits, and they are computed once. Otherwise arithmetic may be done again by each kernel
 * that reads it, and be rounded in another way there, which matters where bits are compared. Gradient: into x.
 */
export const stored = ((x: AnyTensor) => build.barrier(x, [])) as unknown as <A extends string, D extends DType>(
  x: Tensor<A, D>,
) => Tensor<A, D>
