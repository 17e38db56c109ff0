import * as E from 'fp-ts/lib/Either.js'
import type { Evaluated } from '../../backends/cpu/evaluate.js'
import { type HostTensor, report } from '../../dsl/index.js'
import { type Bounded, isCertain, mayBeAnything } from './bounded.js'

/** Where a value is not what it may be. */
export type Disagreement =
  | { readonly tag: 'shapesDiffer'; readonly path: string; readonly expected: string; readonly actual: string }
  | {
      readonly tag: 'elementsDiffer'
      readonly path: string
      /** Where along each axis. */
      readonly index: Readonly<Record<string, number>>
      readonly value: number
      readonly error: number
      readonly actual: number
      /** How many more elements of the tensor are out of bounds. */
      readonly others: number
    }

const shape = ({
  axes,
  sizes,
  data,
}: {
  readonly axes: readonly string[]
  readonly sizes: readonly number[]
  readonly data: ArrayLike<unknown>
}) => `[${axes.map((axis, i) => `${axis}: ${String(sizes[i])}`).join(', ')}] of ${String(data.length)}`

const indexOf = ({ axes, sizes }: Evaluated<unknown>, place: number): Readonly<Record<string, number>> => {
  let rest = place
  const backwards = axes
    .map((axis, i) => [axis, sizes[i]!] as const)
    .toReversed()
    .map(([axis, size]): readonly [string, number] => {
      const index = rest % size
      rest = (rest - index) / size
      return [axis, index]
    })
  return Object.fromEntries(backwards.toReversed())
}

/** What is certain and not finite must be the same; else the distance counts. 0 and −0 are one. */
const isWithin = (bound: Bounded, actual: number): boolean =>
  mayBeAnything(bound) ||
  (isCertain(bound) && Object.is(bound.value, actual)) ||
  (Number.isFinite(actual) && Math.abs(actual - bound.value) <= bound.error)

/** Whether values lie within their bounds: the first that does not. */
export const agrees = (bound: Evaluated<Bounded>, actual: HostTensor, path = 'value'): E.Either<Disagreement, void> => {
  const [expected, given] = [shape(bound), shape(actual)]
  if (expected !== given) return E.left({ tag: 'shapesDiffer', path, expected, actual: given })
  const wrong = bound.data.flatMap((x, place) => (isWithin(x, actual.data[place]!) ? [] : [place]))
  const [place] = wrong
  if (place === undefined) return E.right(undefined)
  const { value, error } = bound.data[place]!
  return E.left({
    tag: 'elementsDiffer',
    path,
    index: indexOf(bound, place),
    value,
    error,
    actual: actual.data[place]!,
    others: wrong.length - 1,
  })
}

/** Three lines: where, because, try. */
export const renderDisagreement = (d: Disagreement): string => {
  switch (d.tag) {
    case 'shapesDiffer':
      return report(`${d.path} is ${d.actual}`, `it must be ${d.expected}`, `compare the axes and their order with the program's`)
    case 'elementsDiffer': {
      const place = Object.entries(d.index).map(([axis, i]) => `${axis} = ${String(i)}`)
      return report(
        `${d.path} at ${place.length === 0 ? 'its only place' : place.join(', ')} is ${String(d.actual)}`,
        `it must be ${String(d.value)} ± ${String(d.error)}${d.others === 0 ? '' : `; so must ${String(d.others)} more elements be within theirs`}`,
        `look for a kernel that computes something else: rounding alone does not go so far`,
      )
    }
  }
}
