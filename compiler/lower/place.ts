import { type Size, sizes } from '../../dsl/index.js'
import type { Expr } from '../loop-ir.js'

/** Where along each axis an element lies. */
export interface Place {
  readonly at: ReadonlyMap<string, Expr>
  /** Whether an axis that it was clamped into may be empty, so that there may be no such element (and what is read is not used). */
  readonly doubtful: boolean
  /** Where everything lies that has axes at all, where one loop goes through it. */
  readonly flat?: Expr
}

export const along = ({ at }: Place, axis: string): Expr => {
  const index = at.get(axis)
  if (index === undefined) throw new Error(`a kernel has no place along '${axis}'`)
  return index
}

export const moved = (place: Place, axis: string, to: Expr): Place => ({ ...place, at: new Map([...place.at, [axis, to]]) })

/** The place clamped into an axis of a size. */
export const clampedTo = (place: Place, axis: string, to: Expr, size: Size): Place => ({
  at: moved(place, axis, to).at,
  doubtful: place.doubtful || !sizes.surelyPositive(size),
})
