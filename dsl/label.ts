import type { DType } from './dtype.js'
import type { Node, NodeOf, Tag } from './node.js'
import type { Axis } from './tensor.js'

/** A name as it is printed; quoted where it could be mistaken for two. */
const axis = (name: string): string => (/^[\p{L}\p{N}_∂]+$/u.test(name) ? name : JSON.stringify(name))

const over = (names: readonly string[]): string => names.map(axis).join(', ')

export const numberText = (value: number): string => (Object.is(value, -0) ? '-0' : String(value))

/** What of a node is neither an operand nor told by its axes. */
const settings: { readonly [T in Tag]: (node: NodeOf<T>) => string } = {
  input: ({ path }) => path,
  constant: ({ value }) => numberText(value),
  iota: () => '',
  extent: ({ size }) => size.text,
  map: () => '',
  broadcast: () => '',
  sum: (node) => over(node.over),
  max: (node) => over(node.over),
  min: (node) => over(node.over),
  argMax: (node) => axis(node.axis),
  argMin: (node) => axis(node.axis),
  argSort: (node) => `${axis(node.axis)} ${node.order}`,
  contract: (node) => over(node.over),
  linearRecurrence: (node) => `${axis(node.axis)} ${node.direction}`,
  gather: (node) => axis(node.axis),
  scatterAdd: (node) => `${axis(node.axis)} over ${over(node.over)}`,
  scatterSet: (node) => `${axis(node.axis)} over ${over(node.over)}`,
  slice: (node) => `${axis(node.axis)} from ${node.start.text} by ${String(node.step)}`,
  pad: (node) => `${axis(node.axis)} from ${node.start.text} by ${String(node.step)}`,
  flip: (node) => axis(node.axis),
  concat: (node) => axis(node.axis),
  split: (node) => `${axis(node.axis)} → ${axis(node.outer)} · ${axis(node.inner)}`,
  merge: (node) => `${axis(node.outer)} · ${axis(node.inner)} → ${axis(node.axis)}`,
  rename: ({ names }) =>
    Object.entries(names)
      .map(([from, to]) => `${axis(from)} → ${axis(to)}`)
      .join(', '),
  stopGradient: () => '',
  custom: ({ name }) => axis(name),
  checkpoint: () => '',
  barrier: () => '',
  invalid: ({ errors }) => errors.map(({ tag }) => tag).join(', '),
}

const settingsOf = (node: Node): string => (settings[node.tag] as (node: Node) => string)(node)

/** `sum(time)`, `mul`, `input(inputs.logProbs)` */
export const nodeLabel = (node: Node): string => {
  const name = node.tag === 'map' ? node.op : node.tag
  const own = settingsOf(node)
  return own === '' ? name : `${name}(${own})`
}

/** `f32[batch: batch, embed: 64]` */
export const typeText = ({ dtype, axes }: { readonly dtype: DType; readonly axes: readonly Axis[] }): string =>
  `${dtype}[${axes.map(({ name, size }) => `${axis(name)}: ${size.text}`).join(', ')}]`

/** `f32[batch, embed: 64]`: an axis of an open size of its own is its name alone; a scalar is its type. */
export const shortTypeText = ({ dtype, axes }: { readonly dtype: DType; readonly axes: readonly Axis[] }): string => {
  const parts = axes.map(({ name, size }) => (size.text === axis(name) ? axis(name) : `${axis(name)}: ${size.text}`))
  return parts.length === 0 ? dtype : `${dtype}[${parts.join(', ')}]`
}
