import * as E from 'fp-ts/lib/Either.js'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import {
  type AnyTensor,
  build,
  givenLeaves,
  type Leaf,
  madeLeaves,
  type Node,
  nodeLabel,
  type Program,
  type ProgramError,
  programErrors,
  requirementsOf,
  sizes,
  topological,
  typeText,
} from '../dsl/index.js'
import { canonicalise } from './canonicalise.js'
import { baseline, group, type Limits } from './group.js'
import type { Expr, Kernel, Statement } from './loop-ir.js'
import { lower, type Lowered } from './lower.js'
import type { Command, Made, Plan, PlanBuffer } from './plan.js'
import { schedule } from './schedule.js'
import { tile } from './tile.js'

type AnyProgram = Program<unknown, unknown, unknown>

/** Every read of a statement list, each once. */
const readsOf = (statements: readonly Statement[]): readonly Extract<Expr, { readonly tag: 'read' }>[] => {
  const found = new Set<Extract<Expr, { readonly tag: 'read' }>>()
  const seen = new Set<Expr>()
  const visit = (e: Expr): void => {
    if (seen.has(e)) return
    seen.add(e)
    if (e.tag === 'read') {
      found.add(e)
      visit(e.at)
    } else if (e.tag === 'op') e.operands.forEach(visit)
  }
  const walk = (s: Statement): void => {
    if (s.tag === 'for') s.body.forEach(walk)
    else if (s.tag === 'if') {
      visit(s.condition)
      s.body.forEach(walk)
    } else if (s.tag === 'store') [s.at, s.value].forEach(visit)
    else visit(s.value)
  }
  statements.forEach(walk)
  return [...found]
}

/** Whether a kernel reads a tensor, if at all, only at the element that it is about to write. */
const readsOnlyWhereItWrites = ({ body, holds }: Lowered, tensor: AnyTensor): boolean => {
  const [only, ...others] = body
  const buffer = holds.findIndex(({ node }) => node === tensor.node)
  const reads = readsOf(body).filter((read) => read.buffer === buffer)
  return reads.length === 0 || (only?.tag === 'store' && others.length === 0 && reads.every(({ at }) => at === only.at))
}

interface Step {
  readonly tensor: AnyTensor
  readonly lowered: Lowered
  readonly inPlaceOf?: AnyTensor
}

/**
 * A new state is written where the old one lies if its own kernel is the last to read the old one, and reads it only where it writes.
 * Otherwise it is made in the arena and copied when everything else is done.
 */
const inPlace = (
  steps: readonly Step[],
  states: readonly Leaf<AnyTensor>[],
  oldState: (path: string) => AnyTensor | undefined,
  isMade: (node: Node) => boolean,
): readonly Step[] => {
  const taken = new Map<Node, AnyTensor>()
  for (const { path, value } of states) {
    const old = oldState(path)
    const own = steps.findIndex(({ tensor }) => tensor.node === value.node)
    if (old === undefined || own < 0 || taken.has(value.node)) continue
    const readLater = steps.slice(own + 1).some(({ lowered }) => lowered.holds.some(({ node }) => node === old.node))
    const step = steps[own]
    if (!readLater && step !== undefined && readsOnlyWhereItWrites(step.lowered, old)) taken.set(value.node, old)
  }
  return steps.map((step) => {
    const inPlaceOf = taken.get(step.tensor.node)
    return inPlaceOf === undefined ? step : { tensor: step.tensor, lowered: lower(step.tensor, isMade, inPlaceOf), inPlaceOf }
  })
}

/** Kernels that differ in nothing but what their parameters hold are one kernel. */
const distinctKernels = (steps: readonly Step[]): { readonly kernels: readonly Kernel[]; readonly kernelOf: readonly number[] } => {
  const known = new Map<string, number>()
  const kernels: Kernel[] = []
  const kernelOf = steps.map(({ tensor: { node }, lowered }) => {
    const { buffers, parameters, space } = lowered
    const written = new Set(buffers.flatMap(({ access }, i) => (access === 'read' ? [] : [i])))
    const kernel = {
      buffers,
      parameters: parameters.map(({ tag }): 'i32' | 'f32' => (tag === 'size' ? 'i32' : 'f32')),
      space,
      body: schedule(lowered.body, written),
    }
    const text = JSON.stringify(kernel)
    const earlier = known.get(text)
    if (earlier !== undefined) return earlier
    known.set(text, kernels.length)
    kernels.push({ name: `${node.tag === 'map' ? node.op : node.tag}_${String(kernels.length)}`, ...kernel })
    return kernels.length - 1
  })
  return { kernels, kernelOf }
}

/** The tensors that a program is given: those it reads, and every state, read or not. */
const givenTensors = (p: AnyProgram, order: readonly AnyTensor[]): ReadonlyMap<string, AnyTensor> => {
  const read = new Map(order.flatMap((x) => (x.node.tag === 'input' ? [[x.node.path, x] as const] : [])))
  return new Map(
    givenLeaves(p).flatMap(({ path, value }) => {
      const x = read.get(path) ?? (path.startsWith('state') ? build.input(path, value.dtype, value.axes) : undefined)
      return x === undefined ? [] : [[path, x] as const]
    }),
  )
}

const elementsOf = (x: AnyTensor): sizes.Size => sizes.product(x.axes.map(({ size }) => size))

/**
 * The plan of a program: which kernels run in which order over which buffers. Pure, and made without a device; the limits are those
 * that the kernels shall keep.
 */
export const plan = <I, S, O>(p: Program<I, S, O>, limits: Limits = baseline): E.Either<NonEmptyArray<ProgramError>, Plan<I, S, O>> => {
  const [first, ...rest] = programErrors(p)
  if (first !== undefined) return E.left([first, ...rest])
  const leaves = madeLeaves(p)
  const roots = canonicalise(leaves.map(({ value }) => value)).map((x) => (x.node.tag === 'input' ? build.alias(x) : x))
  const results = leaves.map(({ path }, i): Leaf<AnyTensor> => ({ path, value: roots[i] ?? leaves[i]!.value }))
  const states = results.filter(({ path }) => path.startsWith('state'))
  const order = topological(roots)
  const made = group(roots, limits)
  const isBuffer = (node: Node): boolean => node.tag === 'input' || made.has(node)
  const givens = givenTensors(p, order)
  const oldState = (path: string): AnyTensor | undefined => givens.get(path)
  const steps = inPlace(
    order.filter(({ node }) => made.has(node)).map((tensor) => ({ tensor, lowered: lower(tensor, isBuffer) })),
    states,
    oldState,
    isBuffer,
  ).map((step) => ({ ...step, lowered: tile(step.lowered, limits.tile) }))
  const { kernels, kernelOf } = distinctKernels(steps)
  const buffers: PlanBuffer[] = []
  const bufferOf = new Map<Node, number>()
  const addBuffer = (x: AnyTensor, role: PlanBuffer['role']): number => buffers.push({ dtype: x.dtype, elements: elementsOf(x), role }) - 1
  for (const [path, x] of givens) bufferOf.set(x.node, addBuffer(x, { tag: 'given', path }))
  for (const { tensor, inPlaceOf } of steps)
    bufferOf.set(tensor.node, (inPlaceOf && bufferOf.get(inPlaceOf.node)) ?? addBuffer(tensor, { tag: 'made' }))
  const numbered = ({ node }: AnyTensor): number => bufferOf.get(node) ?? -1
  const dispatches = steps.map(({ tensor, lowered }, i): Command => ({
    tag: 'dispatch',
    kernel: kernelOf[i] ?? 0,
    buffers: lowered.holds.map(numbered),
    parameters: lowered.parameters,
    extents: lowered.extents,
    makes: `${nodeLabel(tensor.node)} ${typeText(tensor)}`,
    because: made.get(tensor.node) ?? 'result',
  }))
  return E.right({
    requirements: requirementsOf(p),
    kernels,
    buffers,
    commands: [...dispatches, ...stateCopies(states, oldState, numbered)],
    outputs: results
      .filter(({ path }) => path.startsWith('outputs'))
      .map(({ path, value }): Made => ({ path, buffer: numbered(value), axes: value.axes })),
    program: p,
  })
}

const stateCopies = (
  states: readonly Leaf<AnyTensor>[],
  oldState: (path: string) => AnyTensor | undefined,
  numbered: (x: AnyTensor) => number,
): readonly Command[] =>
  states.flatMap(({ path, value }): readonly Command[] => {
    const old = oldState(path)
    return old === undefined || numbered(old) === numbered(value) ? [] : [{ tag: 'copy', from: numbered(value), to: numbered(old) }]
  })
