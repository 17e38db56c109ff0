import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { countOf, type Value } from '../../dsl/index.js'
import type { SafetensorsError } from './error.js'
import { type Entry, type Header, longestHeader, parseHeader } from './header.js'
import { isStoredDtype, type StoredDtype, widenings } from './widen.js'

/** A tensor as a file stores it: its bytes are those of the file, not a copy. */
export interface StoredTensor {
  readonly dtype: StoredDtype
  readonly shape: readonly number[]
  readonly bytes: Uint8Array
}

export interface Safetensors {
  readonly metadata: Readonly<Record<string, string>>
  readonly tensors: ReadonlyMap<string, StoredTensor>
}

/** The numbers of a stored tensor as f32, every one exact. F32 shares the file's memory, where its place allows it. */
export const storedValue = ({ dtype, shape, bytes }: StoredTensor): Value => ({ sizes: shape, data: widenings[dtype].widen(bytes) })

const lengthBytes = 8

const headerLength = (file: Uint8Array): E.Either<SafetensorsError, number> => {
  if (file.length < lengthBytes) return E.left({ tag: 'truncated', has: file.length, needs: lengthBytes })
  const bytes = Number(new DataView(file.buffer, file.byteOffset, lengthBytes).getBigUint64(0, true))
  if (bytes > longestHeader) return E.left({ tag: 'headerTooLong', bytes, limit: longestHeader })
  const needs = lengthBytes + bytes
  return needs > file.length ? E.left({ tag: 'truncated', has: file.length, needs }) : E.right(bytes)
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const text = (bytes: Uint8Array): E.Either<SafetensorsError, string> =>
  E.tryCatch(
    () => utf8.decode(bytes),
    (because) => ({ tag: 'notJson', because: String(because) }),
  )

/** How many bytes a shape needs; a size of 0 makes it 0 beside any other. */
const needed = (shape: readonly number[], dtype: StoredDtype): number => (shape.includes(0) ? 0 : countOf(shape) * widenings[dtype].bytes)

const stored =
  (data: Uint8Array) =>
  ({ name: tensor, dtype, shape, from, to }: Entry): E.Either<SafetensorsError, readonly [string, StoredTensor]> => {
    if (!isStoredDtype(dtype)) return E.left({ tag: 'unknownDtype', tensor, dtype, known: Object.keys(widenings) })
    if (from > to || to > data.length) return E.left({ tag: 'outside', tensor, from, to, end: data.length })
    const needs = needed(shape, dtype)
    if (needs !== to - from) return E.left({ tag: 'wrongSize', tensor, shape, bytes: to - from, needs })
    return E.right([tensor, { dtype, shape, bytes: data.subarray(from, to) }])
  }

/** The tensors cover the data from its first byte to its last, each byte once. */
const covering = (entries: readonly Entry[], end: number): E.Either<SafetensorsError, null> => {
  let reached = 0
  let other = ''
  for (const { name: tensor, from, to } of entries.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    if (from < reached) return E.left({ tag: 'overlap', tensor, other, from, to })
    if (from > reached) return E.left({ tag: 'hole', from: reached, to: from })
    ;[reached, other] = [to, tensor]
  }
  return reached < end ? E.left({ tag: 'hole', from: reached, to: end }) : E.right(null)
}

const tensorsOf =
  (data: Uint8Array) =>
  ({ metadata, entries }: Header): E.Either<SafetensorsError, Safetensors> =>
    pipe(
      entries,
      E.traverseArray(stored(data)),
      E.chainFirst(() => covering(entries, data.length)),
      E.map((tensors) => ({ metadata, tensors: new Map(tensors) })),
    )

/**
 * The tensors of a safetensors file, or what is wrong with it. Nothing is copied: keep the file's bytes as they are while its tensors are in
 * use. Source: https://github.com/huggingface/safetensors, "Format".
 */
export const readSafetensors = (file: Uint8Array): E.Either<SafetensorsError, Safetensors> =>
  pipe(
    headerLength(file),
    E.chain((bytes) =>
      pipe(
        text(file.subarray(lengthBytes, lengthBytes + bytes)),
        E.chain(parseHeader),
        E.chain(tensorsOf(file.subarray(lengthBytes + bytes))),
      ),
    ),
  )
