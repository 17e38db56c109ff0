import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** An array in a folder: little-endian, four bytes an element, in `<name>.bin`. */
interface Entry {
  readonly name: string
  readonly shape: readonly number[]
  readonly dtype: 'f32' | 'i32'
}

export interface Stored {
  readonly shape: readonly number[]
  readonly data: Float32Array | Int32Array
}

const list = 'arrays.json'

export const writeArrays = (folder: string, arrays: Readonly<Record<string, Stored>>): void => {
  mkdirSync(folder, { recursive: true })
  const entries = Object.entries(arrays).map(([name, { shape, data }]): Entry => {
    writeFileSync(join(folder, `${name}.bin`), new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
    return { name, shape, dtype: data instanceof Int32Array ? 'i32' : 'f32' }
  })
  writeFileSync(join(folder, list), JSON.stringify(entries))
}

const read = (folder: string, { name, shape, dtype }: Entry): Stored => {
  const { buffer } = new Uint8Array(readFileSync(join(folder, `${name}.bin`)))
  return { shape, data: dtype === 'i32' ? new Int32Array(buffer) : new Float32Array(buffer) }
}

export const readArrays = (folder: string): Readonly<Record<string, Stored>> =>
  Object.fromEntries(
    (JSON.parse(readFileSync(join(folder, list), 'utf8')) as readonly Entry[]).map((entry) => [entry.name, read(folder, entry)]),
  )
