import * as E from 'fp-ts/lib/Either.js'
import { bind, type BindError, type Requirements, sizes as algebra } from '../dsl/index.js'

/** A size for each open axis. */
export type Sizes = ReadonlyMap<string, number>

export type SizesGiven = Readonly<Record<string, number | readonly number[]>>

/** Small first; longer ones are for programs that ask for them. */
const candidates: readonly (readonly number[])[] = [
  [1, 2, 3, 5],
  [2, 3, 8, 13],
  [21, 34],
]

const most = 4096

const openAxes = ({ givens }: Requirements): readonly string[] => [
  ...new Set(givens.flatMap(({ value }) => value.axes.flatMap(({ size }) => algebra.asVariable(size) ?? []))),
]

/** Every choice of one from each list, as far as `most`. */
const choices = (lists: readonly (readonly number[])[]): readonly (readonly number[])[] =>
  lists.reduce<readonly (readonly number[])[]>(
    (made, list) => list.flatMap((size) => made.map((chosen) => [...chosen, size])).slice(0, most),
    [[]],
  )

const refusals = (requirements: Requirements, sizes: Sizes): readonly BindError[] => {
  const shapes = requirements.givens.map(({ path, value }) => ({
    path,
    value: { sizes: value.axes.map(({ size }) => algebra.evaluateSize(size, sizes) ?? 1) },
  }))
  return E.match(
    (errors: readonly BindError[]) => errors,
    () => [],
  )(bind(requirements, shapes))
}

/** The sizes of the open axes that a program can be run with, small ones first; or what it refuses of two each. */
export const admissibleSizes = (requirements: Requirements, given: SizesGiven): E.Either<readonly BindError[], readonly Sizes[]> => {
  const axes = openAxes(requirements)
  const fixed = (axis: string): readonly number[] | undefined => {
    const own = given[axis]
    return typeof own === 'number' ? [own] : own
  }
  for (const list of candidates) {
    const all = choices(axes.map((axis) => fixed(axis) ?? list)).map(
      (chosen) => new Map(axes.map((axis, i) => [axis, chosen[i]!] as const)),
    )
    const fit = all.filter((sizes) => refusals(requirements, sizes).length === 0)
    if (fit.length > 0) return E.right(fit)
  }
  return E.left(refusals(requirements, new Map(axes.map((axis) => [axis, fixed(axis)?.[0] ?? 2]))))
}
