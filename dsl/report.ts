/** What was asked and where; the rule, with the numbers; one action. */
export type ThreeLines = readonly [what: string, because: string, attempt: string]

/** The three lines of every error. */
export const report = (...[what, because, attempt]: ThreeLines): string => `${what}\n  because: ${because}\n  try: ${attempt}`

const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitute = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(substitute, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** The candidate that a slip of the keyboard may have meant, if one is near. */
export const nearest = (word: string, candidates: readonly string[]): string | undefined => {
  const [best] = candidates.map((candidate) => ({ candidate, away: distance(word, candidate) })).sort((a, b) => a.away - b.away)
  return best !== undefined && best.away <= Math.max(1, Math.floor(word.length / 2)) ? best.candidate : undefined
}

/** `'batch', 'time'`, or the word for none. */
export const listed = (names: readonly string[], none = 'none'): string =>
  names.length === 0 ? none : names.map((name) => `'${name}'`).join(', ')
