import * as E from 'fp-ts/lib/Either.js'
import fc from 'fast-check'
import type { Device } from '../../backends/backend.js'
import { interpret, type Plan, plan } from '../../compiler/index.js'
import type { AnySpec, Value } from '../../dsl/index.js'
import { allAgree, errorBounds, renderDisagreement } from '../../verify/error-bound.js'
import { type AnyProgram, programsWithGradients, type RecipeSettings } from '../programs/index.js'
import { right } from '../right.js'

type Values = Readonly<Record<string, Value>>

interface Run {
  readonly outputs: unknown
  readonly state: Values
}

/** The tree of bounds and the trees that runs gave: each within what rounding can do. */
const within = (bounds: unknown, runs: Readonly<Record<string, unknown>>): void => {
  for (const [where, made] of Object.entries(runs)) {
    const agreed = allAgree(bounds, made)
    if (E.isLeft(agreed)) throw new Error(`${where}: ${renderDisagreement(agreed.left)}`)
  }
}

/** A run on a device, whose state lies there: held, replaced in place, read back and dropped. */
const runOn = async (device: Device, { program, inputs, state }: AnyProgram): Promise<Run> => {
  const loaded = right(await device.load(right(plan(program)))())
  const specs = program.state as Readonly<Record<string, AnySpec>>
  const held = await Promise.all(
    Object.entries(state).map(async ([name, value]) => [name, right(await device.hold(specs[name]!.dtype, value)())] as const),
  )
  const outputs = right(await loaded.run(inputs, Object.fromEntries(held))())
  const after = await Promise.all(held.map(async ([name, tensor]) => [name, right(await device.read(tensor)())] as const))
  held.forEach(([, tensor]) => device.drop(tensor))
  return { outputs, state: Object.fromEntries(after) }
}

/** A state has the axes of its spec: the values that a device gives back do not say them. */
const withAxes = ({ program }: AnyProgram, { outputs, state }: Run): unknown => {
  const specs = program.state as Readonly<Record<string, AnySpec>>
  return {
    outputs,
    state: Object.fromEntries(
      Object.entries(state).map(([name, value]) => [name, { ...value, axes: specs[name]!.axes.map((axis) => axis.name) }]),
    ),
  }
}

/** What the interpreter makes of a plan of a program, within the bound that the reference computes. */
export const interpretsWithin = (p: AnyProgram, changed: (plan: Plan) => Plan): void => {
  const made = right(interpret(changed(right(plan(p.program))))(p.inputs, p.state)) as Run
  within(right(errorBounds(p.program, p.inputs, p.state)), { 'the interpreter': withAxes(p, made) })
}

/** Reference = interpreter = devices on one program and its values, within the bound that the reference computes. */
const agreeOn = async (p: AnyProgram, devices: readonly Device[]): Promise<void> => {
  const bounds = right(errorBounds(p.program, p.inputs, p.state))
  const interpreted = right(interpret(right(plan(p.program)))(p.inputs, p.state)) as Run
  within(bounds, { 'the interpreter': withAxes(p, interpreted) })
  for (const device of devices) within(bounds, { [device.name]: withAxes(p, await runOn(device, p)) })
}

/**
 * The property behind every backend: for any program, what it gives, its gradients and what it leaves as state are the reference's values within the
 * computed bound.
 */
export const agreement = (devices: () => readonly Device[], settings: RecipeSettings = {}): fc.IAsyncProperty<[AnyProgram]> =>
  fc.asyncProperty(programsWithGradients(settings), (p) => agreeOn(p, devices()))
