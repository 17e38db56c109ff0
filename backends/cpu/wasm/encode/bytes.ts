/** Bytes in a tree, so that putting parts together costs nothing; flattened once. */
export type Bytes = number | Uint8Array | readonly Bytes[]

const lengthOf = (bytes: Bytes): number =>
  typeof bytes === 'number' ? 1 : bytes instanceof Uint8Array ? bytes.length : bytes.reduce<number>((sum, part) => sum + lengthOf(part), 0)

export const flatten = (bytes: Bytes): Uint8Array => {
  const flat = new Uint8Array(lengthOf(bytes))
  const append = (part: Bytes, at: number): number => {
    if (typeof part === 'number') flat[at] = part
    else if (part instanceof Uint8Array) flat.set(part, at)
    else return part.reduce<number>((end, inner) => append(inner, end), at)
    return at + (typeof part === 'number' ? 1 : part.length)
  }
  append(bytes, 0)
  return flat
}

/** Unsigned LEB128, for values below 2^32. */
export const unsigned = (value: number): readonly number[] =>
  value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...unsigned(Math.floor(value / 0x80))]

/** Signed LEB128: it ends at the byte whose bit 6 is the sign of all that is left. */
export const signed = (value: bigint): readonly number[] => {
  const low = Number(value & 0x7fn)
  const rest = value >> 7n
  return rest === (low & 0x40 ? -1n : 0n) ? [low] : [low | 0x80, ...signed(rest)]
}

/** The `size` low bytes, the lowest first. */
export const littleEndian = (value: bigint, size: number): readonly number[] =>
  Array.from({ length: size }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn))

/** A length or a count, then the content. */
export const vector = (items: readonly Bytes[]): Bytes => [unsigned(items.length), items]
export const sized = (content: Bytes): Bytes => {
  const flat = flatten(content)
  return [unsigned(flat.length), flat]
}
export const text = (name: string): Bytes => sized(new TextEncoder().encode(name))
