import * as E from 'fp-ts/lib/Either.js'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import { pipe } from 'fp-ts/lib/function.js'
import { countdown, countrySearch, type Environment, recall, type SettingError } from '../../tasks/index.js'
import type { ConfigError } from './config-error.js'
import { defined } from './defined.js'
import type { TaskConfig, TaskName } from './schema.js'

/** An environment, whatever its states are: a run hands them on and looks into none. */
export type AnyEnvironment = Environment<unknown>

type Made = E.Either<NonEmptyArray<ConfigError>, AnyEnvironment>

const any = <S>(environment: Environment<S>): AnyEnvironment => environment as unknown as AnyEnvironment

type ConfigOf<T extends TaskName> = Extract<TaskConfig, { readonly name: T }>

const searchBases = {
  countries: () => countrySearch.baseOf(countrySearch.countries),
  elements: () => countrySearch.baseOf(countrySearch.elements),
}

/** What a task makes of its settings, and how a run is told of those that it cannot do. */
const madeAt =
  (path: string) =>
  <S>(made: E.Either<readonly SettingError[], Environment<S>>): Made =>
    pipe(
      made,
      E.bimap((errors): NonEmptyArray<ConfigError> => {
        const [first, ...others] = errors.map(({ setting, value, rule }): ConfigError => ({
          tag: 'wrongValue',
          path: `${path}.${setting}`,
          value: JSON.stringify(value),
          because: `it ${rule}`,
        }))
        return [first ?? { tag: 'wrongValue', path, value: '', because: 'it is wrong' }, ...others]
      }, any),
    )

const environments: { readonly [T in TaskName]: (config: ConfigOf<T>, path: string) => Made } = {
  countdown: (config) => E.right(any(countdown.environment(config))),
  recall: (config, path) => madeAt(path)(recall.environment(config)),
  'country-search': ({ name: _, facts, objectives, ...settings }, path) =>
    madeAt(path)(countrySearch.searchEnvironment(searchBases[facts](), { ...settings, objectives: defined(objectives) })),
}

/** The environment that a config describes, which stands at a path of what a run is told. */
export const environmentOf = (config: TaskConfig, path = 'task'): Made =>
  (environments[config.name] as (config: TaskConfig, path: string) => Made)(config, path)
