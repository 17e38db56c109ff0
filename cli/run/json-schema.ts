import { z } from 'zod'
import { described } from './described.js'
import { configSchema } from './schema.js'

type Json = Readonly<Record<string, unknown>>

const isRecord = (x: unknown): x is Json => typeof x === 'object' && x !== null && !Array.isArray(x)

const isRecords = (x: unknown): x is readonly Json[] => Array.isArray(x) && x.every(isRecord)

/** Whoever writes a config leaves out what is to be the default; only the name of a task says which of them is meant. */
const required = (properties: unknown): Json =>
  isRecord(properties) && isRecord(properties['name']) && 'const' in properties['name'] ? { required: ['name'] } : {}

const under = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`)

/** A schema of whole configs as one of what somebody writes, with what each setting is. */
const drafted = (schema: Json, path: string): Json => {
  const { required: _, properties, items, oneOf, anyOf, ...others } = schema
  const description = described[path]
  return {
    ...others,
    ...(description !== undefined && { description }),
    ...(isRecord(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, inner]) => [key, isRecord(inner) ? drafted(inner, under(path, key)) : inner]),
      ),
      ...required(properties),
    }),
    ...(isRecord(items) && { items: drafted(items, path) }),
    ...(isRecords(oneOf) && { oneOf: oneOf.map((one) => drafted(one, path)) }),
    ...(isRecords(anyOf) && { anyOf: anyOf.map((one) => drafted(one, path)) }),
  }
}

/** What a config file may say, as editors read it. */
export const configJsonSchema = (): Json => {
  const schema = drafted(z.toJSONSchema(configSchema, { io: 'input' }), '')
  const properties = { $schema: { type: 'string' }, ...(schema['properties'] as Json) }
  return { ...schema, title: 'A run of axgrad train', properties }
}

/** The paths of all settings. */
export const settingPaths = (schema: Json = configJsonSchema(), path = ''): readonly string[] => {
  const { properties, items, oneOf } = schema
  const inner = isRecord(properties) ? Object.entries(properties) : []
  const own = inner.flatMap(([key, value]) => [under(path, key), ...(isRecord(value) ? settingPaths(value, under(path, key)) : [])])
  const others = [items, ...(isRecords(oneOf) ? oneOf : [])].flatMap((one) => (isRecord(one) ? settingPaths(one, path) : []))
  return [...new Set([...own, ...others])].filter((one) => one !== '$schema')
}
