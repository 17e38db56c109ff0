import * as O from 'fp-ts/lib/Option.js'

// The ustar format: 512-byte blocks; a header has its name at 0 (100 bytes) and its size in octal at 124 (12 bytes).
// Enough for an archive of short names without links, which the one we read is; a truncated archive yields nothing.
const block = 512

const text = (bytes: Uint8Array): string => {
  const end = bytes.indexOf(0)
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end))
}

/** The contents of the file `name` in a tar archive. */
export const fileIn = (name: string, archive: Uint8Array): O.Option<Uint8Array> => {
  for (let at = 0; at + block <= archive.length;) {
    const size = parseInt(text(archive.subarray(at + 124, at + 136)), 8)
    if (Number.isNaN(size)) return O.none
    const from = at + block
    if (text(archive.subarray(at, at + 100)) === name)
      return from + size <= archive.length ? O.some(archive.subarray(from, from + size)) : O.none
    at = from + Math.ceil(size / block) * block
  }
  return O.none
}
