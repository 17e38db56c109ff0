import type { CallSite } from './call-site.js'
import type { GraphError } from './errors.js'
import type { Rule } from './rule.js'
import type { ScalarOp } from './scalar-ops.js'
import type { Size } from './size.js'
import type { AnyTensor } from './tensor.js'

/** Along an axis from its first place to its last, or the other way. */
export type Direction = 'forward' | 'backward'

/** From the least on, or from the greatest on. */
export type Order = 'ascending' | 'descending'

/** The fields of each node of the language. The tensor that holds a node gives its axes and its type. */
export interface Fields {
  /** A value that the program is given, by the path of its leaf: `inputs.logProbs`, `state.layers.0.up`. */
  readonly input: { readonly path: string }
  /** One number, at every index. */
  readonly constant: { readonly value: number }
  /** 0, 1, 2, … along the tensor's only axis. */
  readonly iota: Readonly<Record<never, never>>
  /** A size as a whole number, to be computed with. */
  readonly extent: { readonly size: Size }
  /** One scalar function applied at every index of the union of the operands' axes. */
  readonly map: { readonly op: ScalarOp; readonly operands: readonly AnyTensor[] }
  /** x repeated along the axes that it lacks, its own in any order. */
  readonly broadcast: { readonly x: AnyTensor }
  /** Σ over the named axes. */
  readonly sum: { readonly x: AnyTensor; readonly over: readonly string[] }
  /** The greatest element over the named axes; −∞ where there is none. */
  readonly max: { readonly x: AnyTensor; readonly over: readonly string[] }
  /** The least element over the named axes; ∞ where there is none. */
  readonly min: { readonly x: AnyTensor; readonly over: readonly string[] }
  /** The place along `axis` of the greatest element, an i32: of the first of them, or of the first NaN; 0 where there is none. */
  readonly argMax: { readonly x: AnyTensor; readonly axis: string }
  /** As `argMax`, of the least element. */
  readonly argMin: { readonly x: AnyTensor; readonly axis: string }
  /** y[k] is the place along `axis` of the element that comes k-th, an i32; equal ones stay in their order, and NaN is the greatest. */
  readonly argSort: { readonly x: AnyTensor; readonly axis: string; readonly order: Order }
  /** Σ over the shared axes `over` of x·y; every other axis of x and of y remains. */
  readonly contract: { readonly x: AnyTensor; readonly y: AnyTensor; readonly over: readonly string[] }
  /**
   * yₜ = aₜ·yₜ₋₁ + xₜ along `axis`, and x itself at the first place; backward, yₜ = aₜ·yₜ₊₁ + xₜ from the last place. `a` may lack axes
   * of x.
   */
  readonly linearRecurrence: { readonly a: AnyTensor; readonly x: AnyTensor; readonly axis: string; readonly direction: Direction }
  /** x at the place `ids` along `axis`; NaN (0 for integers) where an id lies outside. */
  readonly gather: { readonly x: AnyTensor; readonly ids: AnyTensor; readonly axis: string }
  /** Σ of x over its axes `over`, each element at the place `ids` along the new `axis`; an id outside adds nowhere. */
  readonly scatterAdd: { readonly x: AnyTensor; readonly ids: AnyTensor; readonly axis: string; readonly over: readonly string[] }
  /**
   * x with each of `values` in place of what lies where its id says along `axis`: the axes `over` of ids are gone through, and where two
   * ids agree the last stays. An id outside sets nothing.
   */
  readonly scatterSet: {
    readonly x: AnyTensor
    readonly ids: AnyTensor
    readonly values: AnyTensor
    readonly axis: string
    readonly over: readonly string[]
  }
  /** y[i] = x[start + step·i] along `axis`. */
  readonly slice: { readonly x: AnyTensor; readonly axis: string; readonly start: Size; readonly step: number }
  /** y[start + step·i] = x[i] along `axis`, 0 elsewhere: the transpose of `slice`. */
  readonly pad: { readonly x: AnyTensor; readonly axis: string; readonly start: Size; readonly step: number }
  /** y[i] = x[n − 1 − i] along `axis` of size n. */
  readonly flip: { readonly x: AnyTensor; readonly axis: string }
  /** The parts one after the other along `axis`. */
  readonly concat: { readonly parts: readonly AnyTensor[]; readonly axis: string }
  /** y[i, j] = x[i·m + j], with `outer` and `inner` of size m in place of `axis`. */
  readonly split: { readonly x: AnyTensor; readonly axis: string; readonly outer: string; readonly inner: string }
  /** y[i·m + j] = x[i, j], with `axis` in place of `outer` and `inner` of size m: the inverse of `split`, and its transpose. */
  readonly merge: { readonly x: AnyTensor; readonly axis: string; readonly outer: string; readonly inner: string }
  /** x with some axes called by other names: `names` maps old to new. */
  readonly rename: { readonly x: AnyTensor; readonly names: Readonly<Record<string, string>> }
  /** x, a constant to the derivative. */
  readonly stopGradient: { readonly x: AnyTensor; readonly at: CallSite }
  /**
   * x, which a function made of the first tensors of `given`. Without a rule its derivative is that of x; with one, it is what the rule makes
   * of a cotangent, of this tensor and of all that is `given`, the tensors that the rule closes over last: a cotangent for each operand.
   */
  readonly custom: {
    readonly name: string
    readonly x: AnyTensor
    readonly given: readonly AnyTensor[]
    readonly vjp?: Rule
    readonly at: CallSite
  }
  /** x, which reverse mode makes again from `given` rather than keep what lies between the two. */
  readonly checkpoint: { readonly x: AnyTensor; readonly given: readonly AnyTensor[] }
  /** x, but not the same expression, and nothing of it before `after` is made. */
  readonly barrier: { readonly x: AnyTensor; readonly after: readonly AnyTensor[] }
  /** What could not be built. Its axes are the best guess, so that later mistakes are found too. */
  readonly invalid: { readonly errors: readonly GraphError[]; readonly operands: readonly AnyTensor[] }
}

export type Tag = keyof Fields
export type NodeOf<T extends Tag> = { [K in T]: { readonly tag: K } & Fields[K] }[T]
export type Node = NodeOf<Tag>

/** What an axis is called after a rename. Own keys alone: an axis may be called `constructor`. */
export const renamed =
  (names: Readonly<Record<string, string>>) =>
  (axis: string): string =>
    Object.hasOwn(names, axis) ? names[axis]! : axis

const operandsTable: { readonly [T in Tag]: (node: NodeOf<T>) => readonly AnyTensor[] } = {
  input: () => [],
  constant: () => [],
  iota: () => [],
  extent: () => [],
  map: ({ operands }) => operands,
  broadcast: ({ x }) => [x],
  sum: ({ x }) => [x],
  max: ({ x }) => [x],
  min: ({ x }) => [x],
  argMax: ({ x }) => [x],
  argMin: ({ x }) => [x],
  argSort: ({ x }) => [x],
  contract: ({ x, y }) => [x, y],
  linearRecurrence: ({ a, x }) => [a, x],
  gather: ({ x, ids }) => [x, ids],
  scatterAdd: ({ x, ids }) => [x, ids],
  scatterSet: ({ x, ids, values }) => [x, ids, values],
  slice: ({ x }) => [x],
  pad: ({ x }) => [x],
  flip: ({ x }) => [x],
  concat: ({ parts }) => parts,
  split: ({ x }) => [x],
  merge: ({ x }) => [x],
  rename: ({ x }) => [x],
  stopGradient: ({ x }) => [x],
  custom: ({ x, given }) => [x, ...given],
  checkpoint: ({ x, given }) => [x, ...given],
  barrier: ({ x, after }) => [...after, x],
  invalid: ({ operands }) => operands,
}

const withOperandsTable: { readonly [T in Tag]: (node: NodeOf<T>, f: (x: AnyTensor) => AnyTensor) => NodeOf<T> } = {
  input: (node) => node,
  constant: (node) => node,
  iota: (node) => node,
  extent: (node) => node,
  map: (node, f) => ({ ...node, operands: node.operands.map(f) }),
  broadcast: (node, f) => ({ ...node, x: f(node.x) }),
  sum: (node, f) => ({ ...node, x: f(node.x) }),
  max: (node, f) => ({ ...node, x: f(node.x) }),
  min: (node, f) => ({ ...node, x: f(node.x) }),
  argMax: (node, f) => ({ ...node, x: f(node.x) }),
  argMin: (node, f) => ({ ...node, x: f(node.x) }),
  argSort: (node, f) => ({ ...node, x: f(node.x) }),
  contract: (node, f) => ({ ...node, x: f(node.x), y: f(node.y) }),
  linearRecurrence: (node, f) => ({ ...node, a: f(node.a), x: f(node.x) }),
  gather: (node, f) => ({ ...node, x: f(node.x), ids: f(node.ids) }),
  scatterAdd: (node, f) => ({ ...node, x: f(node.x), ids: f(node.ids) }),
  scatterSet: (node, f) => ({ ...node, x: f(node.x), ids: f(node.ids), values: f(node.values) }),
  slice: (node, f) => ({ ...node, x: f(node.x) }),
  pad: (node, f) => ({ ...node, x: f(node.x) }),
  flip: (node, f) => ({ ...node, x: f(node.x) }),
  concat: (node, f) => ({ ...node, parts: node.parts.map(f) }),
  split: (node, f) => ({ ...node, x: f(node.x) }),
  merge: (node, f) => ({ ...node, x: f(node.x) }),
  rename: (node, f) => ({ ...node, x: f(node.x) }),
  stopGradient: (node, f) => ({ ...node, x: f(node.x) }),
  custom: (node, f) => ({ ...node, x: f(node.x), given: node.given.map(f) }),
  checkpoint: (node, f) => ({ ...node, x: f(node.x), given: node.given.map(f) }),
  barrier: (node, f) => ({ ...node, x: f(node.x), after: node.after.map(f) }),
  invalid: (node, f) => ({ ...node, operands: node.operands.map(f) }),
}

export const operandsOf = (node: Node): readonly AnyTensor[] => (operandsTable[node.tag] as (node: Node) => readonly AnyTensor[])(node)

/** The operands whose elements a node is made of: not what it waits for, nor what a region was given. */
export const madeOf = (node: Node): readonly AnyTensor[] =>
  node.tag === 'custom' || node.tag === 'checkpoint' || node.tag === 'barrier' ? [node.x] : operandsOf(node)

/** The same node over other operands. */
export const withOperands = (node: Node, f: (x: AnyTensor) => AnyTensor): Node =>
  (withOperandsTable[node.tag] as (node: Node, f: (x: AnyTensor) => AnyTensor) => Node)(node, f)
