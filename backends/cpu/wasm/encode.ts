import { flatten, sized, text, unsigned, vector, type Bytes } from './encode/bytes.js'
import { encodeInstrs, valTypes } from './encode/instr.js'
import type { MemoryImport, Variable, WasmFunction, WasmModule } from './encode/module.js'

export type * from './encode/module.js'

export interface EncodeOptions {
  /** Write the functions' names for profilers and stack traces. */
  readonly names?: boolean
}

/** The module in the binary format. A function the module does not have, a variable or a label out of scope, throws. */
export const encode = ({ memory, functions }: WasmModule, { names = true }: EncodeOptions = {}): Uint8Array => {
  const types = new Map(functions.map((fn) => [signature(fn), fn]))
  const typeNames = [...types.keys()]
  const indices = new Map(functions.map(({ name }, index) => [name, index]))
  return flatten([
    [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    section(1, [...types.values()].map(encodeType)),
    section(2, memory === undefined ? [] : [encodeMemory(memory)]),
    section(
      3,
      functions.map((fn) => unsigned(typeNames.indexOf(signature(fn)))),
    ),
    section(
      7,
      functions.flatMap(({ name, exported }, index) => (exported ? [[text(name), 0x00, unsigned(index)]] : [])),
    ),
    section(
      10,
      functions.map((fn) => encodeFunction(fn, indices)),
    ),
    names ? nameSection(functions) : [],
  ])
}

/** `f64,f64 → f64`: functions of one type share this text, and so the entry in the type section. */
const signature = ({ params, results }: WasmFunction): string => `${params.map(({ type }) => type).join()} → ${results.join()}`

const encodeType = ({ params, results }: WasmFunction): Bytes => [
  0x60,
  vector(params.map(({ type }) => valTypes[type])),
  vector(results.map((type) => valTypes[type])),
]

const encodeMemory = ({ module, name, min, max, shared }: MemoryImport): Bytes => [
  [text(module), text(name)],
  [0x02, shared ? 0x03 : 0x01],
  [unsigned(min), unsigned(max)],
]

const encodeFunction = ({ params, locals, body }: WasmFunction, functions: ReadonlyMap<string, number>): Bytes => {
  const variables = new Map([...params, ...locals].map(({ name }, index) => [name, index]))
  return sized([vector(locals.map(encodeLocal)), encodeInstrs({ variables, functions, labels: [] }, body), 0x0b])
}

/** A run of one: the format would also count equal neighbours together. */
const encodeLocal = ({ type }: Variable): Bytes => [1, valTypes[type]]

const section = (id: number, items: readonly Bytes[]): Bytes => (items.length === 0 ? [] : [id, sized(vector(items))])

const nameSection = (functions: readonly WasmFunction[]): Bytes => {
  const functionNames = vector(functions.map(({ name }, index) => [unsigned(index), text(name)]))
  return [0x00, sized([text('name'), 0x01, sized(functionNames)])]
}
