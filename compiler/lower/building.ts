import { type AnyTensor, type Axis, type DType, type Node, type Size, sizes } from '../../dsl/index.js'
import type { Exprs } from '../exprs.js'
import { type Expr, type KernelBuffer, partsOf } from '../loop-ir.js'
import type { Parameter } from '../plan.js'
import { along, type Place } from './place.js'

/** What one kernel is being built with. */
export interface Building {
  readonly exprs: Exprs
  /** Whether a tensor is read from a buffer, unless the kernel has it at hand. */
  readonly isMade: (node: Node) => boolean
  readonly buffers: { readonly tensor: AnyTensor; readonly access: KernelBuffer['access'] }[]
  /** Which buffer holds what the kernel makes, where one does. */
  readonly outputs: ReadonlyMap<Node, number>
  /** Whether each turn computes all that it makes before it stores any of it. */
  readonly computesFirst: boolean
  /** What it has made of the row at hand, by the variable that holds it. */
  readonly folded: Map<Node, Expr>
  /** How many variables have each name. */
  readonly names: Map<string, number>
  readonly parameters: Parameter[]
  readonly values: Map<string, Expr>
  readonly numbers: Map<Node, number>
  readonly depths: Map<Expr, number>
  loops: number
}

const parameterKey = (p: Parameter): string =>
  p.tag === 'size' ? `size ${p.size.text}` : `number ${Object.is(p.value, -0) ? '-0' : String(p.value)}`

export const parameter = (b: Building, p: Parameter): Expr => {
  const at = b.parameters.findIndex((other) => parameterKey(other) === parameterKey(p))
  if (at < 0) b.parameters.push(p)
  return b.exprs.parameter(at < 0 ? b.parameters.length - 1 : at, p.tag === 'size' ? 'i32' : 'f32')
}

export const sizeExpr = (b: Building, size: Size): Expr => {
  const n = sizes.known(size)
  return n === undefined ? parameter(b, { tag: 'size', size }) : b.exprs.literal(n)
}

/** 0 and ±1 stand in the kernel; every other float is a parameter, so that two learning rates are one kernel. */
export const numberExpr = (b: Building, value: number, dtype: DType): Expr =>
  dtype !== 'f32' || value === 1 || value === -1 || Object.is(value, 0)
    ? b.exprs.literal(value, dtype)
    : parameter(b, { tag: 'number', value })

/** The buffer that a tensor is read from. One that the kernel itself makes is read back. */
export const bufferOf = (b: Building, tensor: AnyTensor): number => {
  const own = b.outputs.get(tensor.node) ?? -1
  const at = own < 0 ? b.buffers.findIndex((buffer) => buffer.tensor.node === tensor.node) : own
  const buffer = b.buffers[at]
  if (buffer === undefined) return b.buffers.push({ tensor, access: 'read' }) - 1
  if (buffer.access === 'write') b.buffers[at] = { ...buffer, access: 'readWrite' }
  return at
}

/** The buffer of what the kernel makes and stores. */
export const outputOf = (b: Building, { node }: AnyTensor): number => {
  const output = b.outputs.get(node)
  if (output === undefined) throw new Error(`a kernel stores ${node.tag} nowhere`)
  return output
}

/** A variable of its own: `acc`, then `acc_1`. */
export const newVariable = (b: Building, name: string, dtype: DType): Extract<Expr, { readonly tag: 'variable' }> => {
  const count = b.names.get(name) ?? 0
  b.names.set(name, count + 1)
  return b.exprs.variable(count === 0 ? name : `${name}_${String(count)}`, dtype)
}

/** Row-major: Σ place·stride, outermost loops first, so that what an inner loop does not change can be computed outside it. */
export const linear = (b: Building, axes: readonly Axis[], place: Place): Expr => {
  if (place.flat !== undefined && axes.length > 0) return place.flat
  const terms = axes.map(({ name }, i) =>
    b.exprs.times(along(place, name), sizeExpr(b, sizes.product(axes.slice(i + 1).map(({ size }) => size)))),
  )
  return terms.toSorted((x, y) => depthOf(b, x) - depthOf(b, y)).reduce(b.exprs.plus, b.exprs.literal(0))
}

/** Loops are numbered from the outside in, so the greatest number in an expression is the loop that it must be inside of. */
const depthOf = (b: Building, e: Expr): number => {
  const known = b.depths.get(e)
  if (known !== undefined) return known
  const depth = e.tag === 'index' ? Number(e.name.slice(1)) + 1 : Math.max(0, ...partsOf(e).map((part) => depthOf(b, part)))
  b.depths.set(e, depth)
  return depth
}
