import { type AnyTensor, axesMissingFrom, axisNames, axisOf, build, type NodeOf, sizes } from '../dsl/index.js'

const {
  binary,
  broadcastTo,
  constant,
  contract,
  extent,
  flip,
  gather,
  map,
  mergeLike,
  ordinals,
  pad,
  rename,
  scatterAdd,
  scatterSet,
  select,
  slice,
  splitLike,
  sum,
} = build

/** The nodes that are linear in their operands of type f32 (`contract` in each of its two). */
export type LinearTag =
  | 'broadcast'
  | 'sum'
  | 'contract'
  | 'gather'
  | 'scatterAdd'
  | 'scatterSet'
  | 'slice'
  | 'pad'
  | 'flip'
  | 'concat'
  | 'split'
  | 'merge'
  | 'rename'

/** Where a cotangent goes: to each operand its share. */
export type Shares = readonly (readonly [operand: AnyTensor, share: AnyTensor])[]

type Transpose<T extends LinearTag> = (ct: AnyTensor, node: NodeOf<T>) => Shares

const namesMissingFrom = (x: AnyTensor, ...others: readonly AnyTensor[]): readonly string[] => [
  ...new Set(others.flatMap((y) => axesMissingFrom(x, y).map(({ name }) => name))),
]

/** Σ over the axes that x does not have, in the order of x: what a broadcast becomes backwards. */
export const summedTo = (x: AnyTensor, ct: AnyTensor): AnyTensor => broadcastTo(x.axes)(sum(...namesMissingFrom(x, ct))(ct))

export const sizeAlong = (x: AnyTensor, axis: string): sizes.Size => axisOf(x, axis)?.size ?? sizes.literal(0)

/** Where an id lies inside the axis. */
export const inside = (ids: AnyTensor, size: sizes.Size): AnyTensor => {
  const limit = ids.dtype === 'u32' ? map('toU32', extent(size)) : extent(size)
  return map('and', binary('lessEqual')(0, ids), binary('less')(ids, limit))
}

/** Which of the values that `scatterSet` puts somewhere are still there at its end: each place keeps the number of the last. */
const stays = ({ x, ids, values, axis, over }: NodeOf<'scatterSet'>): AnyTensor => {
  const fits = inside(ids, sizeAlong(x, axis))
  if (over.length === 0) return fits
  const scanned = values.axes.filter(({ name }) => over.includes(name))
  const numbers = ordinals(scanned)
  const places = { name: axis, size: sizeAlong(x, axis) }
  const shared = ids.axes.filter(({ name }) => !over.includes(name))
  const last = scatterSet(axis, ids)(broadcastTo([places, ...shared])(constant(-1, 'i32')), numbers)
  return map('and', fits, binary('equal')(gather(axis)(ids)(last), numbers))
}

const inverse = (names: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(names).map(([from, to]) => [to, from]))

/** For each linear node, where the cotangent of its result goes. */
export const transposes: { readonly [T in LinearTag]: Transpose<T> } = {
  broadcast: (ct, { x }) => [[x, summedTo(x, ct)]],
  sum: (ct, { x }) => [[x, broadcastTo(x.axes)(ct)]],
  contract: (ct, { x, y }) => [
    [x, contract(...namesMissingFrom(x, ct, y))(ct, y)],
    [y, contract(...namesMissingFrom(y, ct, x))(ct, x)],
  ],
  gather: (ct, { x, ids, axis }) => {
    const over = axisNames(ids).filter((name) => name === axis || axisOf(x, name) === undefined)
    return [[x, scatterAdd(axis, ids, sizeAlong(x, axis), over)(ct)]]
  },
  // An id outside added nowhere, so nothing comes back from it; `gather` alone would bring a NaN.
  scatterAdd: (ct, { x, ids, axis }) => [[x, select(inside(ids, sizeAlong(ct, axis)), gather(axis)(ids)(ct), 0)]],
  scatterSet: (ct, node) => [
    [node.x, scatterSet(node.axis, node.ids)(ct, 0)],
    [node.values, broadcastTo(node.values.axes)(select(stays(node), gather(node.axis)(node.ids)(ct), 0))],
  ],
  slice: (ct, { x, axis, start, step }) => [[x, pad(axis, { start, step, size: sizeAlong(x, axis) })(ct)]],
  pad: (ct, { x, axis, start, step }) => [[x, slice(axis, { start, step, size: sizeAlong(x, axis) })(ct)]],
  flip: (ct, { x, axis }) => [[x, flip(axis)(ct)]],
  concat: (ct, { parts, axis }) => {
    let start = sizes.literal(0)
    return parts.map((part) => {
      const own = { start, step: 1, size: sizeAlong(part, axis) }
      start = sizes.plus(start, own.size)
      return [part, slice(axis, own)(ct)]
    })
  },
  split: (ct, { x, axis, outer, inner }) => [[x, mergeLike(axis, { outer, inner }, x)(ct)]],
  merge: (ct, { x, axis, outer, inner }) => [[x, splitLike(axis, { outer, inner }, x)(ct)]],
  rename: (ct, { x, names }) => [[x, rename(inverse(names))(ct)]],
}
