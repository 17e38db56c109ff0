// Writes config.schema.json: what a config of `axgrad train` may say, for editors.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format } from 'prettier'
import { configJsonSchema } from '../cli/run/json-schema.js'

export const schemaText = (): Promise<string> => format(JSON.stringify(configJsonSchema()), { parser: 'json', printWidth: 140 })

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(new URL('../config.schema.json', import.meta.url), await schemaText())
