import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as dsl from '../../dsl/index.js'
import { messagesFor } from '../types/checker.js'
import { root } from './page.js'

/** The right column of the table: what is written here. */
const idioms = readFileSync(join(root, 'docs/named-axes.md'), 'utf8')
  .split('\n')
  .flatMap((line) => /^\| `.*` +\| `(.*)` +\|$/.exec(line)?.[1] ?? [])

const words = (code: string): readonly string[] => [...new Set(code.match(/[a-zA-Z]\w+/g))].filter((word) => word in dsl)

const sourceOf = (code: string): string => `import { pipe } from 'fp-ts/lib/function.js'
import { grad } from 'axgrad/autodiff'
import type { Tensor } from 'axgrad/dsl'
import { ${words(code).join(', ')} } from 'axgrad/dsl'
void [pipe, grad]
declare const x: Tensor<'batch' | 'time' | 'embed'>
declare const y: Tensor<'batch' | 'embed'>
declare const w: Tensor<'embed' | 'out'>
declare const ids: Tensor<'batch' | 'time', 'i32'>
declare const mask: Tensor<'batch' | 'time', 'bool'>
void [x, y, w, ids, mask]
export const made = ${code}
`

test('every idiom of the table compiles', () => {
  expect(idioms.length).toBeGreaterThan(20)
  const sources = Object.fromEntries(idioms.map((code, i) => [`idiom-${i}.ts`, sourceOf(code)]))
  const messages = Object.values(messagesFor(sources))
  expect(idioms.flatMap((code, i) => (messages[i]?.length === 0 ? [] : [{ code, messages: messages[i] }]))).toEqual([])
}, 240_000)
