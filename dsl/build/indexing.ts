import { isId } from '../dtype.js'
import type { Size } from '../size.js'
import { broadcastTo } from './movement.js'
import { constant } from './sources.js'
import { type AnyTensor, axesMissingFrom, axisNames, tensor } from '../tensor.js'
import { both, checked, fault, type Findings, nothing, resolve, sharedSizes, sizeOfAxis, without } from './checked.js'

const idFault = (op: string, ids: AnyTensor): Findings =>
  isId(ids.dtype) ? nothing : fault({ tag: 'typesDoNotFit', op, takes: 'i32 or u32 as ids', given: [ids.dtype] })

/** x at the place `ids` along `axis`. Axes that ids shares with the rest of x are walked together. */
export const gather =
  (axis: string) =>
  (ids: AnyTensor) =>
  (x: AnyTensor): AnyTensor => {
    const op = 'gather'
    const { over, found } = resolve(op, x, [axis])
    const rest = tensor(x.dtype, without(x.axes, over), x.node)
    const fresh = axesMissingFrom(rest, ids)
    const axes = x.axes.flatMap((a) => (over.includes(a.name) ? fresh : [a]))
    const { faults, needs } = both(found, idFault(op, ids), sharedSizes(op, rest, ids))
    return checked(faults, needs, [x, ids], x.dtype, axes, () => ({ tag: 'gather', x, ids, axis }))
  }

/** Σ over the axes `over` of x, each element at the place `ids` along the new `axis`; `over` is among the axes of ids. */
export const scatterAdd =
  (axis: string, ids: AnyTensor, size: Size, over: readonly string[]) =>
  (x: AnyTensor): AnyTensor => {
    const op = 'scatterAdd'
    const summed = resolve(op, ids, over)
    const given = resolve(op, x, axisNames(ids))
    const kept = without(x.axes, summed.over)
    const clash = kept.some(({ name }) => name === axis) ? fault({ tag: 'axisExists', op, axis, has: axisNames(x) }) : nothing
    const typed = x.dtype === 'bool' ? fault({ tag: 'typesDoNotFit', op, takes: 'numbers', given: [x.dtype] }) : nothing
    const { faults, needs } = both(
      summed.found,
      given.found,
      clash,
      typed,
      idFault(op, ids),
      sizeOfAxis(op, axis, size),
      sharedSizes(op, x, ids),
    )
    return checked(faults, needs, [x, ids], x.dtype, [{ name: axis, size }, ...kept.filter(({ name }) => name !== axis)], () => ({
      tag: 'scatterAdd',
      x,
      ids,
      axis,
      over,
    }))
  }

/** x with `values` at the places `ids` along `axis`. Of the axes of ids, those that x lacks, and `axis` itself, are gone through. */
export const scatterSet =
  (axis: string, ids: AnyTensor) =>
  (x: AnyTensor, values: AnyTensor | number): AnyTensor => {
    const op = 'scatterSet'
    const { over: along, found } = resolve(op, x, [axis])
    const rest = without(x.axes, along)
    const over = ids.axes.filter((a) => !rest.some(({ name }) => name === a.name))
    const put = typeof values === 'number' ? constant(values, x.dtype) : values
    const kept = tensor(x.dtype, [...over, ...rest], x.node)
    const given = [x.dtype, put.dtype]
    const { faults, needs } = both(
      found,
      idFault(op, ids),
      x.dtype === put.dtype ? nothing : fault({ tag: 'typesDoNotFit', op, takes: 'values of the type of what they are put in', given }),
      axesMissingFrom(kept, put).length === 0 ? nothing : fault({ tag: 'axesDoNotNest', op, left: axisNames(put), right: axisNames(kept) }),
      sharedSizes(op, tensor(x.dtype, rest, x.node), ids),
      sharedSizes(op, kept, put),
    )
    return checked(faults, needs, [x, ids, put], x.dtype, x.axes, () => ({
      tag: 'scatterSet',
      x,
      ids,
      values: broadcastTo(kept.axes)(put),
      axis,
      over: over.map(({ name }) => name),
    }))
  }
