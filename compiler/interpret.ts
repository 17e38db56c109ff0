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
import { type Expr, type Kernel, inLoops, type Statement } from './loop-ir.js'
import { outputTree } from './outputs.js'
import type { Plan } from './plan.js'
import { scalar, stored } from './scalar.js'
import { type Elements, elementsOf, parameterValue, zeros } from './storage.js'

/** The plain interpreter of the loop language: the meaning of a kernel, so that lowering is tested without a device. */

interface Frame {
  readonly memory: readonly Elements[]
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
        write(frame.memory[s.buffer], evaluate(s.at, frame), evaluate(s.value, frame))
        break
    }
}

/** Run a kernel at every point of its space. */
export const interpretKernel = ({ space, body }: Kernel, memory: readonly Elements[], parameters: readonly number[]): void =>
  execute(inLoops(space, body), { memory, parameters, names: new Map() })

const memoryFor = (plan: Plan, { sizes: bound, values }: Bound): readonly Elements[] =>
  plan.buffers.map(({ dtype, elements, role }) => {
    const memory = zeros(dtype, sizes.evaluateSize(elements, bound) ?? 0)
    const value = role.tag === 'given' ? values.get(role.path) : undefined
    if (value !== undefined && hasData(value)) memory.set(elementsOf(dtype, value.data))
    return memory
  })

export interface Interpreted<S, O> {
  readonly outputs: MadeBy<O>
  readonly state: S
}

/** Run a plan on the host: what every backend must agree with. The state that it gives is the tree that it was given, replaced. */
export const interpret =
  <I, S, O>(plan: Plan<I, S, O>) =>
  (inputs: GivenFor<I>, state?: GivenFor<S>): E.Either<NonEmptyArray<BindError>, Interpreted<GivenFor<S>, O>> =>
    pipe(
      bindValues(plan.requirements, givenValues(plan.program, inputs, state)),
      E.map((bound) => {
        const memory = memoryFor(plan, bound)
        for (const command of plan.commands)
          if (command.tag === 'copy') memory[command.to]?.set(memory[command.from] ?? [])
          else {
            const kernel = plan.kernels[command.kernel]
            const parameters = command.parameters.map((p) => parameterValue(p, bound.sizes))
            if (kernel !== undefined)
              interpretKernel(
                kernel,
                command.buffers.map((b) => memory[b] ?? new Float32Array(0)),
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
