/** What was made for each of so many keys; for the one that was used longest ago it is made again. */
export const remembered = <A>(most: number): ((key: string, make: () => A) => A) => {
  const known = new Map<string, A>()
  return (key, make) => {
    const value = known.get(key) ?? make()
    known.delete(key)
    known.set(key, value)
    const [oldest] = known.keys()
    if (known.size > most && oldest !== undefined) known.delete(oldest)
    return value
  }
}

/** How many different sizes a program keeps prepared. */
export const mostPrepared = 64
