import type { DType, Num } from '../dtype.js'
import type { Node } from '../node.js'
import { type ScalarOp, scalarOps } from '../scalar-ops.js'
import { type AnyTensor, type Axis, axesMissingFrom, axisNames } from '../tensor.js'
import { both, checked, fault, type Findings, nothing, sharedSizes } from './checked.js'
import { constant } from './sources.js'

/** The operand with the most axes; all others must nest in it. */
const widest = (operands: readonly AnyTensor[]): AnyTensor | undefined =>
  operands.reduce<AnyTensor | undefined>((best, x) => (best === undefined || x.axes.length > best.axes.length ? x : best), undefined)

const mapAs = (op: string, operands: readonly AnyTensor[], dtype: DType, found: Findings, node: () => Node): AnyTensor => {
  const wide = widest(operands)
  const outer = wide?.axes ?? []
  const nesting = operands.map((x) =>
    wide === undefined || axesMissingFrom(wide, x).length === 0
      ? nothing
      : fault({ tag: 'axesDoNotNest', op, left: axisNames(wide), right: axisNames(x) }),
  )
  const sizes = wide === undefined ? [] : operands.map((x) => (x === wide ? nothing : sharedSizes(op, wide, x)))
  const { faults, needs } = both(found, ...nesting, ...sizes)
  const guess = operands.reduce<readonly Axis[]>(
    (axes, x) => [...axes, ...x.axes.filter(({ name }) => axes.every((a) => a.name !== name))],
    outer,
  )
  return checked(faults, needs, operands, dtype, guess, node)
}

export const map = (op: ScalarOp, ...operands: readonly AnyTensor[]): AnyTensor => {
  const { result, takes } = scalarOps[op]
  const given = operands.map(({ dtype }) => dtype)
  const dtype = result(given)
  const found = dtype === undefined ? fault({ tag: 'typesDoNotFit', op, takes, given }) : nothing
  return mapAs(op, operands, dtype ?? given.at(-1) ?? 'f32', found, () => ({ tag: 'map', op, operands }))
}

/** A number beside a tensor has the tensor's type. */
const lifted = (x: AnyTensor | number, beside: DType): AnyTensor => (typeof x === 'number' ? constant(x, beside) : x)

/** A binary operation whose operands may be numbers. */
export const binary =
  (op: ScalarOp) =>
  (x: AnyTensor | number, y: AnyTensor | number): AnyTensor =>
    map(op, lifted(x, typeof y === 'number' ? 'f32' : y.dtype), lifted(y, typeof x === 'number' ? 'f32' : x.dtype))

/** The same 32 bits as another type; x itself where it is of that type. */
export const bitcast =
  (to: Num) =>
  (x: AnyTensor): AnyTensor => {
    if (x.dtype === to) return x
    const word = x.dtype === 'f32' ? map('floatBits', x) : x.dtype === 'i32' ? map('bitsToU32', x) : x
    return to === 'u32' && word.dtype === 'u32' ? word : map(fromWord[to], word)
  }

const fromWord: { readonly [D in Num]: ScalarOp } = { f32: 'bitsToF32', i32: 'bitsToI32', u32: 'bitsToU32' }

export const select = (condition: AnyTensor, x: AnyTensor | number, y: AnyTensor | number): AnyTensor =>
  map('select', condition, lifted(x, typeof y === 'number' ? 'f32' : y.dtype), lifted(y, typeof x === 'number' ? 'f32' : x.dtype))
