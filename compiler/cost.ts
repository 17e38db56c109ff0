import { type DType, type Size, sizes } from '../dsl/index.js'
import type { Access, Expr, LoopOp, Statement } from './loop-ir.js'
import { type Command, elementBytes, type Parameter, type Plan } from './plan.js'

/** What a command, or a plan, costs, as polynomials in the open sizes. */
export interface Cost {
  /** Bytes of the buffers that are read, each of them once. */
  readonly reads: Size
  /** Bytes of the buffers that are written, each of them once. */
  readonly writes: Size
  /**
   * Operations on floats: each is one, whatever it takes, so that exp is one and a product with its addition two. To choose, to cast and to take
   * bits are none. What stands under a condition counts as if it always held.
   */
  readonly flops: Size
}

const none: Size = sizes.literal(0)

const total = (all: readonly Size[]): Size => all.reduce<Size>(sizes.plus, none)

const free: { readonly [O in LoopOp]?: true } = {
  select: true,
  toF32: true,
  toI32: true,
  toU32: true,
  toBool: true,
  floatBits: true,
  bitsToF32: true,
}

const isFloat = ({ dtype }: { readonly dtype: DType }): boolean => dtype === 'f32'

const flopsOfExpr = (e: Expr): number => {
  if (e.tag === 'read') return flopsOfExpr(e.at)
  if (e.tag !== 'op') return 0
  const own = !free[e.op] && (isFloat(e) || e.operands.some(isFloat)) ? 1 : 0
  return e.operands.reduce((sum, operand) => sum + flopsOfExpr(operand), own)
}

/** Of a list of statements; shared expressions have names in it, and are there once. */
const flopsOfBody = (body: readonly Statement[], sizeOf: (extent: Expr) => Size): Size => {
  const flops: { readonly [T in Statement['tag']]: (s: Extract<Statement, { readonly tag: T }>) => Size } = {
    let: ({ value }) => sizes.literal(flopsOfExpr(value)),
    var: ({ value }) => sizes.literal(flopsOfExpr(value)),
    assign: ({ value }) => sizes.literal(flopsOfExpr(value)),
    barrier: () => none,
    join: () => none,
    store: ({ at, value }) => sizes.literal(flopsOfExpr(at) + flopsOfExpr(value)),
    for: ({ loop, body: inner }) => sizes.times(sizeOf(loop.extent), flopsOfBody(inner, sizeOf)),
    if: ({ condition, body: inner }) => sizes.plus(flopsOfExpr(condition), flopsOfBody(inner, sizeOf)),
  }
  return total(body.map((s) => (flops[s.tag] as (s: Statement) => Size)(s)))
}

/** The size that an extent is: every loop's is a number or a parameter, or that and no more than what is left. */
const extentIn =
  (parameters: readonly Parameter[]) =>
  (extent: Expr): Size => {
    if (extent.tag === 'literal') return sizes.literal(extent.value)
    const given = extent.tag === 'parameter' ? parameters[extent.slot] : undefined
    if (given?.tag === 'size') return given.size
    if (extent.tag === 'op' && extent.op === 'min' && extent.operands[0] !== undefined) return extentIn(parameters)(extent.operands[0])
    throw new Error('the extent of a loop is no size')
  }

/** What a command of a plan costs. */
export const costOf = ({ buffers, kernels }: Plan, command: Command): Cost => {
  const bytesOf = (buffer: number): Size => {
    const found = buffers[buffer]
    return found === undefined ? none : sizes.scale(found.elements, elementBytes(found))
  }
  if (command.tag === 'copy') return { reads: bytesOf(command.from), writes: bytesOf(command.to), flops: none }
  const kernel = kernels[command.kernel]
  if (kernel === undefined) throw new Error('a command runs a kernel of its plan')
  const touched = (without: Access): readonly Size[] =>
    command.buffers.flatMap((buffer, slot) => (kernel.buffers[slot]?.access === without ? [] : [bytesOf(buffer)]))
  return {
    reads: total(touched('write')),
    writes: total(touched('read')),
    flops: sizes.times(sizes.product(command.extents), flopsOfBody(kernel.body, extentIn(command.parameters))),
  }
}

/** What all commands of a plan cost together. */
export const costOfPlan = (plan: Plan): Cost => {
  const costs = plan.commands.map((command) => costOf(plan, command))
  return {
    reads: total(costs.map(({ reads }) => reads)),
    writes: total(costs.map(({ writes }) => writes)),
    flops: total(costs.map(({ flops }) => flops)),
  }
}
