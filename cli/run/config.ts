import * as E from 'fp-ts/lib/Either.js'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import { pipe } from 'fp-ts/lib/function.js'
import { z } from 'zod'
import { isJsonObject } from '../json-object.js'
import type { ConfigError } from './config-error.js'
import { defaultsOf, type Draft, ofRewardModel, over } from './defaults.js'
import { configSchema, type RunConfig, type TaskConfig, type TaskName, taskSchemas } from './schema.js'

type Errors = NonEmptyArray<ConfigError>

/** A schema as JSON Schema has it, as far as its keys. */
interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly oneOf?: readonly Shape[]
}

const variants = (shape: Shape): readonly Shape[] => [shape, ...(shape.anyOf ?? []), ...(shape.oneOf ?? [])]

const isOfName = (shape: Shape, value: unknown): boolean => {
  const name = (shape.properties?.['name'] as { readonly const?: unknown } | undefined)?.const
  return name === undefined || (isJsonObject(value) && value['name'] === name)
}

/** The keys that there may be at a path of a value. */
const keysAt = (shape: Shape, path: readonly PropertyKey[], value: unknown): readonly string[] => {
  const own = variants(shape).filter((variant) => isOfName(variant, value))
  const [step, ...rest] = path
  if (step === undefined) return [...new Set(own.flatMap(({ properties = {} }) => Object.keys(properties)))]
  const inner = isJsonObject(value) || Array.isArray(value) ? (value as Readonly<Record<PropertyKey, unknown>>)[step] : undefined
  return own.flatMap((variant) => {
    const next = typeof step === 'number' ? variant.items : variant.properties?.[String(step)]
    return next === undefined ? [] : keysAt(next, rest, inner)
  })
}

const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inner, step) => (inner as Readonly<Record<PropertyKey, unknown>> | undefined)?.[step], value)

const show = (value: unknown): string => (value === undefined ? 'not there' : JSON.stringify(value))

const errorsOf = (schema: z.ZodType, draft: unknown, { issues }: z.ZodError, under: readonly string[] = []): readonly ConfigError[] => {
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape
  const name = (path: readonly PropertyKey[]): string => [...under, ...path].map(String).join('.')
  return issues.flatMap((issue): readonly ConfigError[] =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ tag: 'unknownKey', path: name(issue.path), key, has: keysAt(shape, issue.path, draft) }))
      : [{ tag: 'wrongValue', path: name(issue.path), value: show(at(draft, issue.path)), because: issue.message }],
  )
}

const parsed = <A>(schema: z.ZodType<A>, draft: unknown, under: readonly string[] = []): E.Either<Errors, A> => {
  const { success, data, error } = schema.safeParse(draft)
  if (success) return E.right(data)
  const [first, ...others] = errorsOf(schema, draft, error, under)
  return E.left([first ?? { tag: 'wrongValue', path: '', value: '', because: error.message }, ...others])
}

const taskNames = Object.keys(taskSchemas) as readonly TaskName[]

const nameIn = (drafts: readonly Draft[]): unknown =>
  drafts.reduce<unknown>((name, { task }) => (isJsonObject(task) ? (task['name'] ?? name) : name), 'country-search')

const taskName = (drafts: readonly Draft[]): E.Either<Errors, TaskName> => {
  const name = nameIn(drafts)
  const found = taskNames.find((one) => one === name)
  return found === undefined ? E.left([{ tag: 'unknownTask', name: String(name), has: taskNames }]) : E.right(found)
}

/** A draft without what it says of a task that is not the one. */
const ofTask =
  (name: TaskName) =>
  (draft: Draft): Draft => {
    const { task, ...others } = draft
    return isJsonObject(task) && 'name' in task && task['name'] !== name ? others : draft
  }

/** The task of a part of a run: what stands at a path of the config over what the run says of its task. */
export const taskAt = (task: TaskConfig, part: Draft, path: readonly string[]): E.Either<Errors, TaskConfig> =>
  parsed<TaskConfig>(taskSchemas[task.name], over(task, part), path)

/** A draft with the defaults of what a run need not have, where it has it. */
const filledIn = (draft: Draft): Draft => (isJsonObject(draft['rewardModel']) ? over({ rewardModel: ofRewardModel }, draft) : draft)

/** What a run is told: the defaults of its task, and over them each draft in turn; or all that is wrong. */
export const configOf = (drafts: readonly Draft[], isQuick: boolean): E.Either<Errors, RunConfig> =>
  pipe(
    taskName(drafts),
    E.flatMap((name) => parsed(configSchema, filledIn(over(defaultsOf(name, isQuick), ...drafts.map(ofTask(name)))))),
  )

/** The path of the first leaf at which two configs differ, with both values. */
export const firstDifference = (
  a: unknown,
  b: unknown,
  path = '',
): { readonly path: string; readonly left: string; readonly right: string } | undefined => {
  if (!(isJsonObject(a) && isJsonObject(b)))
    return JSON.stringify(a) === JSON.stringify(b) ? undefined : { path, left: show(a), right: show(b) }
  return [...new Set([...Object.keys(a), ...Object.keys(b)])]
    .map((key) => firstDifference(a[key], b[key], path === '' ? key : `${path}.${key}`))
    .find((found) => found !== undefined)
}
