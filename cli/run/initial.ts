import { fileURLToPath } from 'node:url'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { DecoderSpecs, ValuesOf } from '../../models/index.js'
import { disk, readPolicy } from '../../training/index.js'
import type { RunCommandError } from './error.js'
import type { Prepared } from './plan.js'

type Policy = ValuesOf<DecoderSpecs>

/** The policy of country search after its warm start, as `npm run warm-start` makes it. */
const warmStart = fileURLToPath(new URL('../../tasks/country-search/warm-start', import.meta.url))

const folderOf = (init: string): string => (init === 'warm-start' ? warmStart : init)

/** What a new run's policy is before its first step; undefined where it is drawn from the seed. */
export const initialOf = (prepared: Prepared): TE.TaskEither<NonEmptyArray<RunCommandError>, Policy | undefined> => {
  const { init } = prepared.config
  if (init === 'random') return TE.right(undefined)
  const folder = folderOf(init)
  return pipe(
    readPolicy(disk, folder, prepared.model),
    TE.mapLeft((because): NonEmptyArray<RunCommandError> => [{ tag: 'noInit', folder, because }]),
  )
}

/** A run with the policy that it begins with, where there is one. */
export const withInitial = (prepared: Prepared): TE.TaskEither<NonEmptyArray<RunCommandError>, Prepared> =>
  pipe(
    initialOf(prepared),
    TE.map((initial) => (initial === undefined ? prepared : { ...prepared, plan: { ...prepared.plan, initial } })),
  )
