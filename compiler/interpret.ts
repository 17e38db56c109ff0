import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import {
  bindValues,
  type BindError,
  type Bound,
  type GivenFor,
  givenValues,
  hasData,
  isSpec,
  type MadeBy,
  mapTree,
  sizes,
  type Value,
} from '../dsl/index.js'
import { type Expr, type Kernel, inLoops, type Loop, type Statement, type Workgroup } from './loop-ir.js'
import { outputTree } from './outputs.js'
import type { Plan } from './plan.js'
import { nearestHalf, scalar, stored } from './scalar.js'
import { type Elements, elementsOf, parameterValue, zeros } from './storage.js'

/** The plain interpreter of the loop language: the meaning of a kernel, so that lowering is tested without a device. */

interface Frame {
  readonly memory: readonly Elements[]
  /** The buffers whose numbers are rounded to f16. */
  readonly halves: ReadonlySet<number>
  readonly parameters: readonly number[]
  readonly names: Map<string, number>
}

const element = (memory: Elements | undefined, at: number): number => {
  const value = memory?.[at]
  // A clamped index into an empty buffer is 0; nothing may depend on what is read there.
  if (value === undefined && memory?.length !== 0) throw new Error(`a kernel reads element ${String(at)} of ${String(memory?.length)}`)
  return value ?? 0
}

const evaluate = (e: Expr, frame: Frame): number => {
  switch (e.tag) {
    case 'literal':
      return e.value
    case 'parameter':
      return frame.parameters[e.slot] ?? NaN
    case 'index':
    case 'variable':
      return frame.names.get(e.name) ?? NaN
    case 'read':
      return element(frame.memory[e.buffer], evaluate(e.at, frame))
    case 'op': {
      const operands = e.operands.map((x) => evaluate(x, frame))
      return stored[e.dtype](scalar[e.op](operands, e.dtype))
    }
  }
}

const write = (memory: Elements | undefined, at: number, value: number): void => {
  if (memory === undefined || !(at >= 0 && at < memory.length))
    throw new Error(`a kernel writes element ${String(at)} of ${String(memory?.length)}`)
  memory[at] = value
}

const storedIn = ({ halves }: Frame, buffer: number, value: number): number => (halves.has(buffer) ? nearestHalf(value) : value)

const execute = (statements: readonly Statement[], frame: Frame): void => {
  for (const s of statements)
    switch (s.tag) {
      case 'let':
      case 'var':
      case 'assign':
        frame.names.set(s.name, evaluate(s.value, frame))
        break
      case 'for': {
        const extent = evaluate(s.loop.extent, frame)
        for (let i = 0; i < extent; i++) {
          frame.names.set(s.loop.index, i)
          execute(s.body, frame)
        }
        break
      }
      case 'if':
        if (evaluate(s.condition, frame) !== 0) execute(s.body, frame)
        break
      case 'store':
        write(frame.memory[s.buffer], evaluate(s.at, frame), storedIn(frame, s.buffer, evaluate(s.value, frame)))
        break
      case 'barrier':
      case 'join':
        break
    }
}

type Join = Extract<Statement, { readonly tag: 'join' }>

/** Halves folded into halves, the upper into the lower, until one number is left. */
const joined = ({ name, dtype, op }: Join, points: readonly Frame[]): void => {
  const values = points.map(({ names }) => names.get(name) ?? NaN)
  for (let half = points.length / 2; half >= 1; half /= 2)
    for (let i = 0; i < half; i++) values[i] = stored[dtype](scalar[op]([values[i]!, values[i + half]!], dtype))
  for (const { names } of points) names.set(name, values[0] ?? NaN)
}

const meets = (s: Statement): boolean =>
  s.tag === 'barrier' || s.tag === 'join' || ((s.tag === 'for' || s.tag === 'if') && s.body.some(meets))

/** The points of a workgroup one after the other; in step where they meet at a barrier, to which all come or none. */
const together = (statements: readonly Statement[], points: readonly Frame[]): void => {
  const [first] = points
  if (first === undefined) return
  for (const s of statements)
    if (s.tag === 'join') joined(s, points)
    else if (!meets(s)) for (const point of points) execute([s], point)
    else if (s.tag === 'for') {
      const extent = evaluate(s.loop.extent, first)
      for (let i = 0; i < extent; i++) {
        for (const { names } of points) names.set(s.loop.index, i)
        together(s.body, points)
      }
    } else if (s.tag === 'if' && evaluate(s.condition, first) !== 0) together(s.body, points)
}

/** Every choice of one index in each loop of known extent, by their names. */
const pointsOf = (loops: readonly Loop[]): readonly ReadonlyMap<string, number>[] =>
  loops.reduce<readonly ReadonlyMap<string, number>[]>(
    (points, { index, extent }) =>
      points.flatMap((point) =>
        Array.from({ length: extent.tag === 'literal' ? extent.value : 0 }, (_, i) => new Map([...point, [index, i]])),
      ),
    [new Map()],
  )

/** A workgroup at the place that its frame has. */
const interpretWorkgroup = ({ space, body }: Kernel, { loops, shared }: Workgroup, frame: Frame): void => {
  const { memory, names } = frame
  const all = [...memory, ...shared.map(({ dtype, elements }) => zeros(dtype, elements))]
  const points = pointsOf(space.slice(space.length - loops)).map((point): Frame => ({
    ...frame,
    memory: all,
    names: new Map([...names, ...point]),
  }))
  together(body, points)
}

const forEachPlace = ([loop, ...inner]: readonly Loop[], frame: Frame, run: () => void): void => {
  if (loop === undefined) {
    run()
    return
  }
  const extent = evaluate(loop.extent, frame)
  for (let i = 0; i < extent; i++) {
    frame.names.set(loop.index, i)
    forEachPlace(inner, frame, run)
  }
}

/** Run a kernel at every point of its space. */
export const interpretKernel = (kernel: Kernel, memory: readonly Elements[], parameters: readonly number[]): void => {
  const { space, body, workgroup } = kernel
  const halves = new Set(kernel.buffers.flatMap(({ inHalves }, i) => (inHalves === true ? [i] : [])))
  const frame: Frame = { memory, halves, parameters, names: new Map() }
  if (workgroup === undefined) execute(inLoops(space, body), frame)
  else forEachPlace(space.slice(0, space.length - workgroup.loops), frame, () => interpretWorkgroup(kernel, workgroup, frame))
}

/** A buffer's own elements, and the memory that it lies in. */
interface Stored {
  readonly own: Elements
  readonly memory: Elements
}

const memoryFor = (plan: Plan, { sizes: bound, values }: Bound, room: number): readonly Stored[] =>
  plan.buffers.map(({ dtype, elements, role }) => {
    const count = sizes.evaluateSize(elements, bound) ?? 0
    const memory = zeros(dtype, room * Math.ceil(count / room))
    const value = role.tag === 'given' ? values.get(role.path) : undefined
    if (value !== undefined && hasData(value)) memory.set(elementsOf(dtype, value.data))
    return { own: memory.subarray(0, count), memory }
  })

export interface Interpreted<S, O> {
  readonly outputs: MadeBy<O>
  readonly state: S
}

/**
 * Run a plan on the host: what every backend must agree with. The state that it gives is the tree that it was given, replaced. Buffers take up a
 * multiple of `room` elements, as on devices whose plans are `widen`ed.
 */
export const interpret =
  <I, S, O>(plan: Plan<I, S, O>, room = 1) =>
  (inputs: GivenFor<I>, state?: GivenFor<S>): E.Either<NonEmptyArray<BindError>, Interpreted<GivenFor<S>, O>> =>
    pipe(
      bindValues(plan.requirements, givenValues(plan.program, inputs, state)),
      E.map((bound) => {
        const buffers = memoryFor(plan, bound, room)
        const memory = buffers.map(({ own }) => own)
        for (const command of plan.commands)
          if (command.tag === 'copy') memory[command.to]?.set(memory[command.from] ?? [])
          else {
            const kernel = plan.kernels[command.kernel]
            const parameters = command.parameters.map((p) => parameterValue(p, bound.sizes))
            if (kernel !== undefined)
              interpretKernel(
                kernel,
                command.buffers.map((b) => buffers[b]?.memory ?? new Float32Array(0)),
                parameters,
              )
          }
        const outputs = outputTree(plan, bound.sizes, ({ buffer }) => memory[buffer] ?? [])
        return { outputs: outputs as MadeBy<O>, state: stateFrom(plan, memory, bound) as GivenFor<S> }
      }),
    )

const stateFrom = (plan: Plan, memory: readonly Elements[], { values }: Bound): unknown => {
  const byPath = new Map(plan.buffers.flatMap(({ role }, i) => (role.tag === 'given' ? [[role.path, memory[i]] as const] : [])))
  return mapTree(isSpec)((_, path): Value => ({
    sizes: values.get(path)?.sizes ?? [],
    data: byPath.get(path) ?? [],
  }))(plan.program.state, 'state')
}
