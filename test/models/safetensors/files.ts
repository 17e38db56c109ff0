/** Safetensors files put together byte by byte, right or wrong. */

export interface Described {
  readonly dtype: string
  readonly shape: readonly number[]
  readonly data_offsets: readonly number[]
}

/** A file of a header's text and the data behind it; `length` is what it says of its header's length. */
export const fileOf = (header: string, data: Uint8Array = new Uint8Array(), length?: bigint): Uint8Array => {
  const text = new TextEncoder().encode(header)
  const file = new Uint8Array(8 + text.length + data.length)
  new DataView(file.buffer).setBigUint64(0, length ?? BigInt(text.length), true)
  file.set(text, 8)
  file.set(data, 8 + text.length)
  return file
}

export const f32Bytes = (...numbers: readonly number[]): Uint8Array => new Uint8Array(Float32Array.from(numbers).buffer)
export const wordBytes = (...words: readonly number[]): Uint8Array => new Uint8Array(Uint16Array.from(words).buffer)
export const joined = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]))
