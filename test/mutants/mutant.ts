import type { Rules } from '../../autodiff/index.js'
import { type AnyTensor, madeOf, operandsOf } from '../../dsl/index.js'
import type { Kind } from './mistake.js'

/** The rules of the derivative with one row made wrong. */
export interface Mutant {
  readonly kind: Kind
  readonly what: string
  readonly rules: Rules
}

/** The operands that may have a derivative: of a custom function those that its rule is for, too. */
export const floats = ({ node }: AnyTensor): readonly AnyTensor[] =>
  (node.tag === 'custom' ? operandsOf(node) : madeOf(node)).filter(({ dtype }) => dtype === 'f32')
