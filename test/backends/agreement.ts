import * as E from 'fp-ts/lib/Either.js'
import fc from 'fast-check'
import type { Device } from '../../backends/backend.js'
import { interpret, plan } from '../../compiler/index.js'
import { allAgree, errorBounds, renderDisagreement } from '../../verify/error-bound.js'
import { type AnyProgram, programsOf } from '../programs/index.js'

const right = <E, A>(either: E.Either<E, A>): A => {
  if (E.isLeft(either)) throw new Error(JSON.stringify(either.left))
  return either.right
}

/** The tree of bounds and the trees that runs gave: each within what rounding can do. */
const within = (bounds: unknown, runs: Readonly<Record<string, unknown>>): void => {
  for (const [where, outputs] of Object.entries(runs)) {
    const agreed = allAgree(bounds, outputs)
    if (E.isLeft(agreed)) throw new Error(`${where}: ${renderDisagreement(agreed.left)}`)
  }
}

/** Reference = interpreter = device on one program and its inputs, within the bound that the reference computes. */
const agreeOn = async ({ program, inputs }: AnyProgram, device: Device): Promise<void> => {
  const bounds = right(errorBounds(program, inputs))
  const planned = right(plan(program))
  const interpreted = right(interpret(planned)(inputs))
  const loaded = right(await device.load(planned)())
  const made = right(await loaded.run(inputs)())
  within(bounds.outputs, { 'the interpreter': interpreted.outputs, [device.name]: made })
}

/** The property behind every backend: for any program, what it gives is the reference's value within the computed bound. */
export const agreement = (device: () => Device): fc.IAsyncProperty<[AnyProgram]> =>
  fc.asyncProperty(programsOf(), (p) => agreeOn(p, device()))
