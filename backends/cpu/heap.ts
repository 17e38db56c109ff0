/** An allocator of a range of addresses. It knows nothing of the bytes there. */
export interface Heap {
  /** The address of a free range of so many bytes; undefined where the limit leaves none. */
  readonly allocate: (bytes: number) => number | undefined
  /** Give back what `allocate` gave. What was not given, or is already back, is ignored. */
  readonly free: (address: number) => void
  /** Bytes that are given and not back. */
  readonly used: () => number
}

interface Range {
  readonly from: number
  readonly to: number
}

/** The alignment of every address: a cache line, and so that of any access. */
export const granule = 64

const rounded = (bytes: number): number => Math.max(1, Math.ceil(bytes / granule)) * granule

/** The ranges with one more, by address; those that touch are one. */
const withRange = (ranges: readonly Range[], added: Range): Range[] => {
  const before = ranges.filter(({ to }) => to < added.from)
  const after = ranges.filter(({ from }) => from > added.to)
  const touching = ranges.filter(({ from, to }) => to >= added.from && from <= added.to)
  const from = Math.min(added.from, ...touching.map((range) => range.from))
  const to = Math.max(added.to, ...touching.map((range) => range.to))
  return [...before, { from, to }, ...after]
}

/** First fit over a list of free ranges by address, the last of which ends at the limit. `from` and `limit` are multiples of the granule. */
export const createHeap = (from: number, limit: number): Heap => {
  const taken = new Map<number, number>()
  let free: Range[] = [{ from, to: limit }]
  return {
    allocate: (bytes) => {
      const size = rounded(bytes)
      const i = free.findIndex((range) => range.to - range.from >= size)
      const range = free[i]
      if (range === undefined) return undefined
      const rest = { from: range.from + size, to: range.to }
      free.splice(i, 1, ...(rest.from < rest.to ? [rest] : []))
      taken.set(range.from, size)
      return range.from
    },
    free: (address) => {
      const size = taken.get(address)
      if (size === undefined) return
      taken.delete(address)
      free = withRange(free, { from: address, to: address + size })
    },
    used: () => [...taken.values()].reduce((sum, size) => sum + size, 0),
  }
}
