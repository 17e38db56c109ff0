import type { Value } from '../../dsl/index.js'

const float32 = (data: Value['data']): Float32Array => (data instanceof Float32Array ? data : Float32Array.from(data))

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array => new Uint8Array(buffer, byteOffset, byteLength)

interface Placed {
  readonly header: Readonly<Record<string, unknown>>
  readonly parts: readonly Uint8Array[]
}

const placed = (tensors: ReadonlyMap<string, Value>): Placed => {
  const parts: Uint8Array[] = []
  const header: (readonly [string, unknown])[] = []
  let from = 0
  for (const [name, { sizes, data }] of tensors) {
    const bytes = bytesOf(float32(data))
    header.push([name, { dtype: 'F32', shape: sizes, data_offsets: [from, from + bytes.length] }])
    parts.push(bytes)
    from += bytes.length
  }
  return { header: Object.fromEntries(header), parts }
}

/** The header behind its length, with spaces so that the data begin at a multiple of eight bytes. */
const headerBytes = (header: Readonly<Record<string, unknown>>): Uint8Array => {
  const json = new TextEncoder().encode(JSON.stringify(header))
  const bytes = new Uint8Array(8 + 8 * Math.ceil(json.length / 8)).fill(0x20)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(bytes.length - 8), true)
  bytes.set(json, 8)
  return bytes
}

/**
 * Tensors as a safetensors file, all of them F32, in the parts that it is to be written in: the header, then each tensor, those of
 * `Float32Array` without a copy. `metadata` are notes for people and tools; `format` is there in any case, since Hugging Face asks for it.
 */
export const safetensorsParts = (
  tensors: ReadonlyMap<string, Value>,
  metadata: Readonly<Record<string, string>> = {},
): readonly Uint8Array[] => {
  const { header, parts } = placed(tensors)
  return [headerBytes({ __metadata__: { format: 'pt', ...metadata }, ...header }), ...parts]
}

/** The same as one array of bytes. */
export const writeSafetensors = (tensors: ReadonlyMap<string, Value>, metadata: Readonly<Record<string, string>> = {}): Uint8Array =>
  Buffer.concat(safetensorsParts(tensors, metadata))
