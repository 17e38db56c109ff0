import * as E from 'fp-ts/lib/Either.js'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import { bind, type givenValues } from '../../dsl/index.js'
import type { RunError } from '../backend.js'
import { executeAll } from './execute.js'
import type { Owned, ProgramKey } from './owned.js'
import { preparing } from './prepare.js'
import { residents } from './residents.js'

/** One run of a program on a device, of what it is given by path. */
export type Runner = (owned: Owned, given: ReturnType<typeof givenValues>) => Promise<E.Either<NonEmptyArray<RunError>, unknown>>

export const runnerOf = (program: ProgramKey): Runner => {
  const { plan } = program
  const prepare = preparing(plan)
  return async (owned, given) => {
    const bound = bind(plan.requirements, given)
    if (E.isLeft(bound)) return bound
    const found = residents(owned.device, plan, owned.held, bound.right)
    if (E.isLeft(found)) return found
    const prepared = prepare(bound.right.sizes, new Set(found.right.inPlace.keys()))
    const functions = owned.programs.get(program) ?? []
    const made = await executeAll({ ...owned, plan, functions, prepared, residents: found.right, bound: bound.right })
    return E.isLeft(made) ? E.left([made.left]) : made
  }
}
