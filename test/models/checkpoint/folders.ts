import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { fileOf, joined, wordBytes } from '../safetensors/files.js'
import type { Example } from './families.js'
import type { Weights } from './hugging-face.js'

type Files = Readonly<Record<string, string | Uint8Array>>

const made: string[] = []
afterAll(() => made.forEach((folder) => rmSync(folder, { recursive: true })))

/** A folder of files for one test. */
export const folderOf = (files: Files): string => {
  const folder = mkdtempSync(join(tmpdir(), 'axgrad-model-'))
  made.push(folder)
  for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content)
  return folder
}

const bits = (x: number): number => new Uint32Array(Float32Array.of(x).buffer)[0]!

/** Multiples of 1/32 below 1 as halves: normal numbers of few bits, so that the bits above are cut to size. */
const half = (x: number): number => {
  const word = bits(x)
  return x === 0 ? 0 : ((word >>> 16) & 0x8000) | ((((word >>> 23) & 255) - 127 + 15) << 10) | ((word >>> 13) & 1023)
}

const stored: { readonly [D in Example['dtype']]: (data: readonly number[]) => Uint8Array } = {
  F32: (data) => new Uint8Array(Float32Array.from(data).buffer),
  F16: (data) => wordBytes(...data.map(half)),
  BF16: (data) => wordBytes(...data.map((x) => bits(x) >>> 16)),
}

/** A safetensors file of weights. */
export const weightsFile = (weights: Weights, dtype: Example['dtype'] = 'F32'): Uint8Array => {
  const parts = Object.entries(weights).map(([name, { shape, data }]) => ({ name, shape, bytes: stored[dtype](data) }))
  let end = 0
  const header = parts.map(({ name, shape, bytes }) => [name, { dtype, shape, data_offsets: [end, (end += bytes.length)] }] as const)
  return fileOf(JSON.stringify(Object.fromEntries(header)), joined(...parts.map(({ bytes }) => bytes)))
}

/** The files of an example in one piece. */
export const filesOf = ({ json, weights, dtype }: Example): Files => ({
  'config.json': JSON.stringify(json),
  'model.safetensors': weightsFile(weights, dtype),
})

/** The same in as many shards. */
export const shardsOf = ({ json, weights, dtype }: Example, count: number): Files => {
  const names = Object.keys(weights)
  const shardFor = (i: number): string =>
    `model-${String((i % count) + 1).padStart(5, '0')}-of-${String(count).padStart(5, '0')}.safetensors`
  const map = Object.fromEntries(names.map((name, i) => [name, shardFor(i)]))
  const shards = Array.from({ length: count }, (_, s) => [
    shardFor(s),
    weightsFile(Object.fromEntries(Object.entries(weights).filter((_, i) => i % count === s)), dtype),
  ])
  return {
    'config.json': JSON.stringify(json),
    'model.safetensors.index.json': JSON.stringify({ metadata: { total_size: 1 }, weight_map: map }),
    ...(Object.fromEntries(shards) as Files),
  }
}
