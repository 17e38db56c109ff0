import type { Order } from '../node.js'
import { type AnyTensor, axesMissingFrom } from '../tensor.js'
import { both, checked, fault, type Findings, nothing, resolve, sharedSizes, without } from './checked.js'

const ofNumbers = (op: string, { dtype }: AnyTensor): Findings =>
  dtype === 'bool' ? fault({ tag: 'typesDoNotFit', op, takes: 'numbers', given: [dtype] }) : nothing

const reduction =
  (tag: 'sum' | 'max' | 'min') =>
  (...names: readonly string[]) =>
  (x: AnyTensor): AnyTensor => {
    const { over, found } = resolve(tag, x, names)
    const typed = ofNumbers(tag, x)
    const { faults, needs } = both(found, typed)
    return names.length === 0 ? x : checked(faults, needs, [x], x.dtype, without(x.axes, over), () => ({ tag, x, over: names }))
  }

export const sum = reduction('sum')

export const max = reduction('max')

export const min = reduction('min')

const placeOf =
  (tag: 'argMax' | 'argMin') =>
  (axis: string) =>
  (x: AnyTensor): AnyTensor => {
    const { over, found } = resolve(tag, x, [axis])
    const { faults, needs } = both(found, ofNumbers(tag, x))
    return checked(faults, needs, [x], 'i32', without(x.axes, over), () => ({ tag, x, axis }))
  }

export const argMax = placeOf('argMax')

export const argMin = placeOf('argMin')

export const argSort =
  (axis: string, order: Order = 'ascending') =>
  (x: AnyTensor): AnyTensor => {
    const { over, found } = resolve('argSort', x, [axis])
    const { faults, needs } = both(found, ofNumbers('argSort', x))
    return checked(faults, needs, [x], 'i32', x.axes, () => ({ tag: 'argSort', x, axis: over[0] ?? axis, order }))
  }

/** Σ over the shared axes `names` of x·y; with no names, every product: the outer product. */
export const contract =
  (...names: readonly string[]) =>
  (x: AnyTensor, y: AnyTensor): AnyTensor => {
    const op = 'contract'
    const left = resolve(op, x, names)
    const right = resolve(op, y, names)
    const given = [x.dtype, y.dtype]
    const typed = given.every((dtype) => dtype === 'f32') ? nothing : fault({ tag: 'typesDoNotFit', op, takes: 'f32', given })
    const { faults, needs } = both(left.found, right.found, typed, sharedSizes(op, x, y))
    const axes = without([...x.axes, ...axesMissingFrom(x, y)], [...left.over, ...right.over])
    return checked(faults, needs, [x, y], x.dtype, axes, () => ({ tag: 'contract', x, y, over: names }))
  }
