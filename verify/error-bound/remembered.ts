import type { Bounded } from './bounded.js'

export type Apply = (...operands: readonly Bounded[]) => Bounded

interface Known {
  result?: Bounded
  readonly next: Map<Bounded, Known>
}

/** The function, which gives the very same element for the very same operands. */
export const remembered = (apply: Apply): Apply => {
  const root: Known = { next: new Map() }
  return (...operands) => {
    let at = root
    for (const x of operands) {
      const next = at.next.get(x) ?? { next: new Map() }
      at.next.set(x, next)
      at = next
    }
    at.result ??= apply(...operands)
    return at.result
  }
}
