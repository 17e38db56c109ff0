import * as E from 'fp-ts/lib/Either.js'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import {
  type AnyTensor,
  build,
  isSpec,
  type Leaf,
  leaves,
  type Node,
  nodeLabel,
  type Program,
  type ProgramError,
  programErrors,
  requirementsOf,
  sizes,
  typeText,
} from '../dsl/index.js'
import { besides } from './besides.js'
import { baseline, type Limits } from './group.js'
import { grouped } from './grouped.js'
import { distinctKernels } from './distinct-kernels.js'
import { inPlace } from './in-place.js'
import { type Group, storedBy } from './merge.js'
import type { Command, Made, Plan, PlanBuffer } from './plan.js'

type AnyProgram = Program<unknown, unknown, unknown>

interface GivenTensors {
  readonly inputs: readonly Leaf<AnyTensor>[]
  readonly state: readonly Leaf<AnyTensor>[]
}

/** The tensors that a program is given: the inputs that it reads, and every state, read or not. */
const givenTensors = (p: AnyProgram, order: readonly AnyTensor[]): GivenTensors => {
  const read = new Map(order.flatMap((x) => (x.node.tag === 'input' ? [[x.node.path, x] as const] : [])))
  const specs = leaves(isSpec)
  return {
    inputs: specs(p.inputs, 'inputs').flatMap(({ path }) => {
      const x = read.get(path)
      return x === undefined ? [] : [{ path, value: x }]
    }),
    state: specs(p.state, 'state').map(({ path, value: { dtype, axes } }) => ({
      path,
      value: read.get(path) ?? build.input(path, dtype, axes),
    })),
  }
}

const labelled = (x: AnyTensor): string => `${nodeLabel(x.node)} ${typeText(x)}`

/** What is computed for several members is there once. */
const computedTexts = ({ members }: Group): readonly string[] => [...new Set(members.flatMap(({ computes }) => computes))].map(labelled)

const elementsOf = (x: AnyTensor): sizes.Size => sizes.product(x.axes.map(({ size }) => size))

/**
 * The plan of a program: which kernels run in which order over which buffers. Pure, and made without a device; the limits are those
 * that the kernels shall keep.
 */
export const plan = <I, S, O>(p: Program<I, S, O>, limits: Limits = baseline): E.Either<NonEmptyArray<ProgramError>, Plan<I, S, O>> => {
  const [first, ...rest] = programErrors(p)
  if (first !== undefined) return E.left([first, ...rest])
  const { outputs, states, order, made, groups, isBuffer } = grouped(p, limits)
  const givens = givenTensors(p, order)
  const old = new Map(givens.state.map(({ path, value }) => [path, value]))
  const oldState = (path: string): AnyTensor | undefined => old.get(path)
  const steps = inPlace(groups, states, oldState, isBuffer)
  const { kernels, kernelOf } = distinctKernels(steps)
  const buffers: PlanBuffer[] = []
  const bufferOf = new Map<Node, number>()
  const addBuffer = (x: AnyTensor, role: PlanBuffer['role']): number => buffers.push({ dtype: x.dtype, elements: elementsOf(x), role }) - 1
  for (const of of ['inputs', 'state'] as const)
    for (const { path, value: x } of givens[of]) bufferOf.set(x.node, addBuffer(x, { tag: 'given', of, path }))
  for (const { group, inPlaceOf } of steps)
    for (const y of storedBy(group)) {
      const old = inPlaceOf.get(y.node)
      bufferOf.set(y.node, (old && bufferOf.get(old.node)) ?? addBuffer(y, { tag: 'made' }))
    }
  const numbered = (x: AnyTensor): number => {
    const buffer = bufferOf.get(x.node)
    if (buffer === undefined) throw new Error(`${labelled(x)} is read from a buffer, and nothing stores it`)
    return buffer
  }
  const dispatches = besides(
    kernels,
    steps.map(({ group, lowered }, i) => ({
      tag: 'dispatch',
      kernel: kernelOf[i] ?? 0,
      buffers: lowered.holds.map(numbered),
      parameters: lowered.parameters,
      extents: lowered.extents,
      makes: storedBy(group).map((y) => ({
        what: labelled(y),
        because: made.get(y.node) ?? 'result',
        elements: elementsOf(y),
        readBy: group.readBy.get(y.node) ?? [],
      })),
      computes: computedTexts(group),
    })),
  )
  return E.right({
    requirements: requirementsOf(p),
    kernels,
    buffers,
    commands: [...dispatches, ...stateCopies(states, oldState, numbered)],
    outputs: outputs.map(({ path, value }): Made => ({ path, buffer: numbered(value), axes: value.axes })),
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
