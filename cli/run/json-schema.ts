import { z } from 'zod'
import { isJsonObject, type JsonObject } from '../json-object.js'
import { described } from './described.js'
import { configSchema } from './schema.js'

const isRecords = (x: unknown): x is readonly JsonObject[] => Array.isArray(x) && x.every(isJsonObject)

/** Whoever writes a config leaves out what is to be the default; only the name of a task says which of them is meant. */
const required = (properties: unknown): JsonObject =>
  isJsonObject(properties) && isJsonObject(properties['name']) && 'const' in properties['name'] ? { required: ['name'] } : {}

const under = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`)

/** A schema of whole configs as one of what somebody writes, with what each setting is. */
const drafted = (schema: JsonObject, path: string): JsonObject => {
  const { required: _, properties, items, oneOf, anyOf, ...others } = schema
  const description = described[path]
  return {
    ...others,
    ...(description !== undefined && { description }),
    ...(isJsonObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, inner]) => [key, isJsonObject(inner) ? drafted(inner, under(path, key)) : inner]),
      ),
      ...required(properties),
    }),
    ...(isJsonObject(items) && { items: drafted(items, path) }),
    ...(isRecords(oneOf) && { oneOf: oneOf.map((one) => drafted(one, path)) }),
    ...(isRecords(anyOf) && { anyOf: anyOf.map((one) => drafted(one, path)) }),
  }
}

/** What a config file may say, as editors read it. */
export const configJsonSchema = (): JsonObject => {
  const schema = drafted(z.toJSONSchema(configSchema, { io: 'input' }), '')
  const properties = { $schema: { type: 'string' }, ...(schema['properties'] as JsonObject) }
  return { ...schema, title: 'A run of axgrad train', properties }
}

/** A setting, and what the schema says of it. */
export interface Setting {
  readonly path: string
  readonly schema: JsonObject
}

/** All settings; one of which there are several sorts comes once for each. */
export const settingsIn = (schema: JsonObject = configJsonSchema(), path = ''): readonly Setting[] => {
  const { properties, items, oneOf } = schema
  const named = Object.entries(isJsonObject(properties) ? properties : {}).filter(([key]) => key !== '$schema')
  const own = named.flatMap(([key, inner]) =>
    isJsonObject(inner) ? [{ path: under(path, key), schema: inner }, ...settingsIn(inner, under(path, key))] : [],
  )
  const others = [items, ...(isRecords(oneOf) ? oneOf : [])].flatMap((one) => (isJsonObject(one) ? settingsIn(one, path) : []))
  return [...own, ...others]
}
