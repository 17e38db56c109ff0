import * as E from 'fp-ts/lib/Either.js'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import { bind, type givenValues } from '../../dsl/index.js'
import type { RunError } from '../backend.js'
import { placeGivens } from '../givens.js'
import { type Carry, executeAll } from './execute.js'
import type { Owned, ProgramKey } from './owned.js'
import { preparing } from './prepare.js'

/** What a run made, and at which sizes. */
export interface Ran {
  readonly outputs: unknown
  readonly bound: ReadonlyMap<string, number>
}

/** One run of a program on a device, of what it is given by path. */
type Runner = (owned: Owned, given: ReturnType<typeof givenValues>, carry: Carry) => Promise<E.Either<NonEmptyArray<RunError>, Ran>>

export const runnerOf = (program: ProgramKey): Runner => {
  const { plan, units } = program
  const prepare = preparing(plan, units)
  return async (owned, given, carry) => {
    const bound = bind(plan.requirements, given)
    if (E.isLeft(bound)) return bound
    const givens = placeGivens(plan, bound.right, owned.held, 'many')
    if (E.isLeft(givens)) return givens
    const prepared = prepare(bound.right.sizes, new Set(givens.right.resident.keys()))
    const compiled = owned.programs.get(program)
    if (compiled === undefined) return E.left([{ tag: 'released', device: owned.device, what: 'a program' }])
    const made = await executeAll({ ...owned, plan, compiled, prepared, givens: givens.right, bound: bound.right.sizes }, carry)
    return E.isLeft(made) ? E.left([made.left]) : E.right({ outputs: made.right, bound: bound.right.sizes })
  }
}
