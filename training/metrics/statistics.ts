/** Numbers by name. */
export type Numbers = Readonly<Record<string, number>>

export interface Spread {
  readonly mean: number
  /** Of the numbers at hand, as a whole population. */
  readonly std: number
  readonly least: number
  readonly greatest: number
}

export const sum = (xs: readonly number[]): number => xs.reduce((total, x) => total + x, 0)

/** 0 of none. */
export const mean = (xs: readonly number[]): number => (xs.length === 0 ? 0 : sum(xs) / xs.length)

/** In two passes, so that equal numbers have exactly 0. */
export const std = (xs: readonly number[]): number => {
  const centre = mean(xs)
  return Math.max(...xs) === Math.min(...xs) ? 0 : Math.sqrt(mean(xs.map((x) => (x - centre) ** 2)))
}

/** All 0 of none. */
export const spread = (xs: readonly number[]): Spread => ({
  mean: mean(xs),
  std: std(xs),
  least: xs.length === 0 ? 0 : Math.min(...xs),
  greatest: xs.length === 0 ? 0 : Math.max(...xs),
})

export const greatest = (xs: readonly number[]): number => Math.max(0, ...xs)

/** The mean of each name over the records that have it. */
export const meansByName = (records: readonly Numbers[]): Numbers =>
  Object.fromEntries(
    [...new Set(records.flatMap((record) => Object.keys(record)))].map((name) => [
      name,
      mean(records.flatMap((record) => record[name] ?? [])),
    ]),
  )

/** A list by what is said of its elements, in the order in which they come. */
export const groupedBy = <X>(list: readonly X[], by: (x: X) => number | string): readonly (readonly X[])[] => {
  const groups = new Map<number | string, X[]>()
  for (const x of list) {
    const group = groups.get(by(x))
    if (group === undefined) groups.set(by(x), [x])
    else group.push(x)
  }
  return [...groups.values()]
}
