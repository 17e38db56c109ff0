import { type AnyTensor, type AnySpec, type Axis, axisNames, axisOf, build, type DType, type Size, sizes } from '../../dsl/index.js'
import { apply, constant, type Known, moved, tame } from './known.js'
import { repeated, type Range } from './range.js'
import type { Recipe, RecipeSettings, Step } from './recipe.js'

/** An input that a program declares, and where its elements are to lie. */
export interface Declared {
  readonly spec: AnySpec
  readonly range: Range
}

/** What a step works with. */
export interface Workshop {
  /** A number from 0 to n − 1 of one of the step's dice. */
  readonly roll: (die: 0 | 1 | 2, n: number) => number
  /** The step's i-th operand among the tensors that suit, the latest first; a new input if none does. */
  readonly operand: (i: 0 | 1 | 2, dtypes: readonly DType[], suits?: (k: Known) => boolean) => Known
  readonly input: (dtype: DType, axes: readonly Axis[], range: Range) => Known
  /** The axes that inputs have. */
  readonly axes: readonly Axis[]
  readonly number: (size: Size) => number
  readonly most: number
}

export const count = (w: Workshop, x: AnyTensor): number => x.axes.reduce((n, { size }) => n * w.number(size), 1)

export const gridOf: { readonly [D in DType]: Range } = {
  f32: { low: -2, high: 2, grid: 3 },
  i32: { low: -3, high: 5, grid: 0 },
  u32: { low: 0, high: 5, grid: 0 },
  bool: { low: 0, high: 1, grid: 0 },
}

/** Some of the axes, in some order, no more than keep the tensor small. */
export const someAxes = (w: Workshop, dice: readonly [number, number]): readonly Axis[] => {
  const turned = w.axes.map((_, i) => w.axes[(i + dice[1]) % w.axes.length]!)
  const chosen = turned.filter((_, i) => ((dice[0] + 1) >> i) % 2 === 1).slice(0, 3)
  return chosen.filter((_, i) => chosen.slice(0, i + 1).reduce((n, { size }) => n * w.number(size), 1) <= w.most)
}

/** x without some of its axes: summed over, or the greatest element taken. */
export const dropped = (w: Workshop, k: Known, names: readonly string[], die = 0): Known => {
  if (names.length === 0) return k
  if (k.x.dtype === 'bool') return apply('toBool', dropped(w, apply('toI32', k), names, 1))
  const n = names.reduce((p, name) => p * w.number(axisOf(k.x, name)!.size), 1)
  if (die % 2 === 0) return tame({ x: build.sum(...names)(k.x), range: repeated(k.range, n) })
  const greatest = moved(k, build.max(...names))
  return n > 0 ? greatest : apply('max', greatest, constant(k.range.low, k.x.dtype))
}

/** The axes of y that x has with another size. */
const clashing = (w: Workshop, x: AnyTensor, y: AnyTensor): readonly string[] =>
  y.axes.filter(({ name, size }) => w.number(axisOf(x, name)?.size ?? size) !== w.number(size)).map(({ name }) => name)

/** y without the axes that x has with another size. */
export const agreeing = (w: Workshop, x: Known, y: Known, die = 0): Known => dropped(w, y, clashing(w, x.x, y.x), die)

/** x and y with one's axes containing the other's: y loses the axes that are too many, or x is repeated along them. */
export const meeting = (w: Workshop, x: Known, y: Known, die = 0): readonly [Known, Known] => {
  const fits = agreeing(w, x, y, die)
  const extra = fits.x.axes.filter(({ name }) => axisOf(x.x, name) === undefined)
  if (extra.length === 0 || axisNames(x.x).every((name) => axisOf(fits.x, name) !== undefined)) return [x, fits]
  const wide = moved(x, build.broadcastTo([...x.x.axes, ...extra]))
  return die % 3 === 0 && count(w, wide.x) <= w.most && wide.x.axes.length <= 4
    ? [wide, fits]
    : [
        x,
        dropped(
          w,
          fits,
          extra.map(({ name }) => name),
          die,
        ),
      ]
}

/** The workshop of each step of a recipe, over the tensors made so far. */
export const workshopOf = (recipe: Recipe, { elements = 128 }: RecipeSettings, made: readonly Known[], declared: Declared[]) => {
  const bound = new Map(recipe.axes.flatMap(({ name, size, open }) => (open ? [[name, size] as const] : [])))
  const axes = recipe.axes.map(({ name, size, open }): Axis => ({ name, size: open ? sizes.sizeOf(name) : sizes.literal(size) }))
  const input: Workshop['input'] = (dtype, own, range) => {
    declared.push({ spec: { spec: 'tensor', dtype, axes: own }, range })
    return { x: build.input(`inputs.x${String(declared.length - 1)}`, dtype, own), range }
  }
  return ({ operands, dice }: Omit<Step, 'kind'>): Workshop => {
    const w: Workshop = {
      roll: (die, n) => dice[die] % n,
      operand: (i, dtypes, suits = () => true) => {
        const fit = made.filter((k) => dtypes.includes(k.x.dtype) && suits(k))
        const fresh = () => input(dtypes[0]!, someAxes(w, [dice[i] + 1, dice[0]]), gridOf[dtypes[0]!])
        return fit.length === 0 ? fresh() : fit[fit.length - 1 - (operands[i] % fit.length)]!
      },
      input,
      axes,
      number: (size) => sizes.evaluateSize(size, bound)!,
      most: elements,
    }
    return w
  }
}
