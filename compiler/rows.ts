import { type Axis, type AnyTensor, type Node, type NodeOf, sizes, type Tag } from '../dsl/index.js'

/** How the kernel of a tensor may take others in. */
export type Manner =
  /** It has no loops of its own and can be made over the rows of others. */
  | 'pointwise'
  /** Folds over axes of what it reads into one value a row. */
  | 'fold'
  /** A fold that is cut into tiles: only what is pointwise at its rows goes with it. */
  | 'contraction'
  /** Has loops of its own, in which it stores. */
  | 'block'
  /** Writes at other places than its own. */
  | 'alone'

const manners: { readonly [T in Tag]: Manner } = {
  input: 'pointwise',
  constant: 'pointwise',
  iota: 'pointwise',
  extent: 'pointwise',
  map: 'pointwise',
  broadcast: 'pointwise',
  sum: 'fold',
  max: 'fold',
  min: 'fold',
  argMax: 'fold',
  argMin: 'fold',
  argSort: 'alone',
  contract: 'contraction',
  linearRecurrence: 'block',
  gather: 'pointwise',
  scatterAdd: 'block',
  scatterSet: 'block',
  slice: 'pointwise',
  pad: 'pointwise',
  flip: 'pointwise',
  concat: 'pointwise',
  split: 'pointwise',
  merge: 'pointwise',
  rename: 'pointwise',
  stopGradient: 'pointwise',
  checkpoint: 'pointwise',
  barrier: 'pointwise',
  custom: 'pointwise',
  invalid: 'pointwise',
}

export const mannerOf = ({ tag }: Node): Manner => manners[tag]

const inside: { readonly [T in Tag]?: (node: NodeOf<T>) => string } = {
  linearRecurrence: ({ axis }) => axis,
  scatterAdd: ({ axis }) => axis,
  scatterSet: ({ axis }) => axis,
}

/** The axes over which the kernel of a tensor that is made alone runs in any order: all but one that it goes through itself. */
export const rowsOf = ({ node, axes }: AnyTensor): readonly Axis[] => {
  const own = (inside[node.tag] as ((node: Node) => string) | undefined)?.(node)
  return own === undefined ? axes : axes.filter(({ name }) => name !== own)
}

/** The same axes with the same sizes, in any order. */
export const sameRows = (a: readonly Axis[], b: readonly Axis[]): boolean => a.length === b.length && a.every((axis) => hasRow(b, axis))

export const hasRow = (rows: readonly Axis[], { name, size }: Axis): boolean =>
  rows.some((row) => row.name === name && (row.size === size || row.size.text === size.text))

/** Whether the rows are the outermost axes of a tensor, so that what is left of a row lies together. */
export const areOutermost = (rows: readonly Axis[], { axes }: AnyTensor): boolean =>
  rows.length <= axes.length && sameRows(rows, axes.slice(0, rows.length))

/** What an open size is taken for where kernels are compared. */
const nominal = 256

const nominalSizes = { get: () => nominal } as unknown as ReadonlyMap<string, number>

/** How many elements axes hold, open sizes taken for one number. */
export const nominalCount = (axes: readonly Axis[]): number =>
  axes.reduce((count, { size }) => count * Math.max(0, sizes.evaluateSize(size, nominalSizes) ?? 0), 1)

/** The axes that a fold goes over, in the order of what it reads. */
export const reducedAxes = ({ node }: AnyTensor): readonly Axis[] => {
  const over = 'over' in node ? node.over : 'axis' in node ? [node.axis] : []
  return 'x' in node ? node.x.axes.filter(({ name }) => over.includes(name)) : []
}
