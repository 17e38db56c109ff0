/** Things in an order in which each comes after what it needs; two of them can be made one. */
export interface Sequence<K> {
  readonly all: () => readonly K[]
  readonly has: (k: K) => boolean
  /** Whether one needs the other through a third: then they cannot be one. */
  readonly areApart: (a: K, b: K) => boolean
  /** Put one in place of two that are not apart. Only what lies between them moves. */
  readonly join: (a: K, b: K, joined: K) => void
}

/** What is needed comes first in `items`; `next` gives what needs an item directly, at the time when it is asked. */
export const createSequence = <K>(items: readonly K[], next: (k: K) => Iterable<K>): Sequence<K> => {
  const slots: (K | undefined)[] = [...items]
  const ranks = new Map<K, number>(items.map((k, rank) => [k, rank]))
  const rankOf = (k: K): number => ranks.get(k) ?? -1
  const inOrder = (a: K, b: K): readonly [K, K] => (rankOf(a) < rankOf(b) ? [a, b] : [b, a])

  /** What needs `first`, directly or not, up to the place of `last` and without it; undefined where such a thing is needed by `last`. */
  const dependents = (first: K, last: K): ReadonlySet<K> | undefined => {
    const end = rankOf(last)
    const found = new Set<K>()
    const stack = [first]
    for (let k = stack.pop(); k !== undefined; k = stack.pop())
      for (const after of next(k)) {
        if (after === last && k !== first) return undefined
        if (after === first || after === last || found.has(after) || rankOf(after) > end) continue
        found.add(after)
        stack.push(after)
      }
    return found
  }

  return {
    all: () => slots.filter((k) => k !== undefined),
    has: (k) => ranks.has(k),
    areApart: (a, b) => dependents(...inOrder(a, b)) === undefined,
    join: (a, b, joined) => {
      const [first, last] = inOrder(a, b)
      const [from, to] = [rankOf(first), rankOf(last)]
      const later = dependents(first, last) ?? new Set()
      const between = slots.slice(from + 1, to).filter((k) => k !== undefined)
      const moved = [...between.filter((k) => !later.has(k)), joined, ...between.filter((k) => later.has(k))]
      ranks.delete(first)
      ranks.delete(last)
      slots.fill(undefined, from, to + 1)
      moved.forEach((k, i) => {
        slots[from + i] = k
        ranks.set(k, from + i)
      })
    },
  }
}
