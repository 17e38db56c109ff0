import {
  type AnyTensor,
  axisNames,
  axisOf,
  countOf,
  type DType,
  type NodeOf,
  renamed,
  type Size,
  type Tag,
  type Value,
} from '../../../dsl/index.js'
import type { Arithmetic } from './arithmetic.js'
import { type Evaluated, type Layout, layoutOf, placesOf, sizeIn, stridesOf, without } from './layout.js'

/** What the evaluation of one node looks at. */
export interface Context<T> {
  readonly arithmetic: Arithmetic<T>
  readonly valueOf: (operand: AnyTensor) => Evaluated<T>
  readonly given: (path: string) => Value
  readonly number: (size: Size) => number
}

type Row<N extends Tag> = <T>(context: Context<T>, node: NodeOf<N>, y: AnyTensor) => Evaluated<T>

const range = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i)

const declaredSize = <T>({ number }: Context<T>, y: AnyTensor, axis: string): number => number(axisOf(y, axis)!.size)

/** The elements of x in another layout, repeated along the axes that it lacks. */
const spread = <T>(x: Evaluated<T>, layout: Layout): readonly T[] =>
  layout.axes.length === x.axes.length && layout.axes.every((axis, i) => axis === x.axes[i])
    ? x.data
    : placesOf(layout, stridesOf(x)).map((place) => x.data[place]!)

/** For each element of y, what `reduce` makes of all elements of x that differ from it only along `over`. */
const reduced = <T>(
  { valueOf }: Context<T>,
  { x: xs, over }: NodeOf<'sum' | 'max' | 'min'>,
  y: AnyTensor,
  reduce: Arithmetic<T>['sum'],
): Evaluated<T> => {
  const x = valueOf(xs)
  const layout = layoutOf(axisNames(y), [x])
  const within = placesOf(layoutOf(over, [x]), stridesOf(x))
  const group = (start: number): readonly T[] => within.map((place) => x.data[start + place]!)
  return { ...layout, data: placesOf(layout, stridesOf(x)).map((start) => reduce(y.dtype, group(start))) }
}

/** As `reduced`, along one axis: what `reduce` makes of them is a place. */
const placed = <T>(context: Context<T>, { x, axis }: NodeOf<'argMax' | 'argMin'>, y: AnyTensor, reduce: Arithmetic<T>['argMax']) =>
  reduced(context, { tag: 'sum', x, over: [axis] }, y, (_, terms) => reduce(terms))

const resized = (x: Layout, axis: string, size: number): Layout => ({
  axes: x.axes,
  sizes: x.axes.map((name, i) => (name === axis ? size : x.sizes[i]!)),
})

/** For each element of a layout: the place in x that has the same indices but for `axis`, and its index along `axis`. */
const along = (layout: Layout, x: Layout, axis: string): readonly (readonly [number, number])[] => {
  const rest = placesOf(layout, without(stridesOf(x), axis))
  const index = placesOf(layout, new Map([[axis, 1]]))
  return rest.map((place, i) => [place, index[i]!])
}

const outside: { readonly [D in DType]: number } = { f32: NaN, i32: 0, u32: 0, bool: 0 }

/** Each node's elements from those of its operands, straight from the definitions in `dsl/node.ts`. */
export const rows: { readonly [N in Tag]: Row<N> } = {
  input: ({ arithmetic, given }, { path }, y) => {
    const { sizes, data } = given(path)
    return { axes: axisNames(y), sizes, data: Array.from(data, (value) => arithmetic.element(y.dtype, value)) }
  },
  constant: ({ arithmetic }, { value }, y) => ({ axes: [], sizes: [], data: [arithmetic.element(y.dtype, value)] }),
  iota: ({ arithmetic, number }, _node, y) => {
    const sizes = y.axes.map(({ size }) => number(size))
    return { axes: axisNames(y), sizes, data: range(sizes[0]!).map((i) => arithmetic.element(y.dtype, i)) }
  },
  extent: ({ arithmetic, number }, { size }, y) => ({ axes: [], sizes: [], data: [arithmetic.element(y.dtype, number(size))] }),
  map: ({ arithmetic, valueOf }, { op, operands }, y) => {
    const values = operands.map(valueOf)
    const layout = layoutOf(axisNames(y), values)
    const [first = [], second, third, fourth] = values.map((x) => spread(x, layout))
    const apply = arithmetic.scalar(y.dtype)[op]
    if (second === undefined) return { ...layout, data: first.map((x) => apply(x)) }
    if (third === undefined) return { ...layout, data: first.map((x, i) => apply(x, second[i]!)) }
    if (fourth === undefined) return { ...layout, data: first.map((x, i) => apply(x, second[i]!, third[i]!)) }
    return { ...layout, data: first.map((x, i) => apply(x, second[i]!, third[i]!, fourth[i]!)) }
  },
  broadcast: (context, node, y) => {
    const x = context.valueOf(node.x)
    const axes = axisNames(y)
    const layout = { axes, sizes: axes.map((axis) => sizeIn(x, axis) ?? declaredSize(context, y, axis)) }
    return { ...layout, data: spread(x, layout) }
  },
  sum: (context, node, y) => reduced(context, node, y, context.arithmetic.sum),
  max: (context, node, y) => reduced(context, node, y, context.arithmetic.max),
  min: (context, node, y) => reduced(context, node, y, context.arithmetic.min),
  argMax: (context, node, y) => placed(context, node, y, context.arithmetic.argMax),
  argMin: (context, node, y) => placed(context, node, y, context.arithmetic.argMin),
  argSort: ({ arithmetic, valueOf }, { x: xs, axis, order }) => {
    const x = valueOf(xs)
    const rest = layoutOf(
      x.axes.filter((name) => name !== axis),
      [x],
    )
    const data = [...x.data]
    const within = placesOf(layoutOf([axis], [x]), stridesOf(x))
    for (const row of placesOf(rest, stridesOf(x)))
      arithmetic
        .argSort(
          within.map((place) => x.data[row + place]!),
          order,
        )
        .forEach((place, k) => (data[row + within[k]!] = place))
    return { ...x, data }
  },
  contract: ({ arithmetic, valueOf }, node, z) => {
    const [x, y] = [valueOf(node.x), valueOf(node.y)]
    const [layout, inner] = [layoutOf(axisNames(z), [x, y]), layoutOf(node.over, [x])]
    const [xStarts, yStarts] = [placesOf(layout, stridesOf(x)), placesOf(layout, stridesOf(y))]
    const [xSteps, ySteps] = [placesOf(inner, stridesOf(x)), placesOf(inner, stridesOf(y))]
    const { mul } = arithmetic.scalar(z.dtype)
    const products = (i: number) => xSteps.map((step, k) => mul(x.data[xStarts[i]! + step]!, y.data[yStarts[i]! + ySteps[k]!]!))
    return { ...layout, data: range(countOf(layout.sizes)).map((i) => arithmetic.sum(z.dtype, products(i))) }
  },
  linearRecurrence: ({ arithmetic, valueOf }, { a: as, x: xs, axis, direction }, y) => {
    const [a, x] = [valueOf(as), valueOf(xs)]
    const [coefficients, strides] = [placesOf(x, stridesOf(a)), stridesOf(x)]
    const { add, mul } = arithmetic.scalar(y.dtype)
    const [n, stride] = [sizeIn(x, axis)!, strides.get(axis)!]
    const data = [...x.data]
    const rows = placesOf(
      layoutOf(
        x.axes.filter((name) => name !== axis),
        [x],
      ),
      strides,
    )
    for (const row of rows)
      for (let turn = 1; turn < n; turn++) {
        const at = row + (direction === 'forward' ? turn : n - 1 - turn) * stride
        const before = direction === 'forward' ? at - stride : at + stride
        data[at] = add(mul(a.data[coefficients[at]!]!, data[before]!), x.data[at]!)
      }
    return { ...x, data }
  },
  gather: ({ arithmetic, valueOf }, { x: xs, ids: points, axis }, y) => {
    const [x, ids] = [valueOf(xs), valueOf(points)]
    const rest = without(stridesOf(x), axis)
    // An axis of the ids may have the name of the one that goes; its size is then that of the ids.
    const layout = layoutOf(axisNames(y), [ids, x])
    const idPlaces = placesOf(layout, stridesOf(ids))
    const [size, stride] = [sizeIn(x, axis)!, stridesOf(x).get(axis)!]
    return {
      ...layout,
      data: placesOf(layout, rest).map((start, i) => {
        const place = arithmetic.place(ids.data[idPlaces[i]!]!)
        if (place === undefined) return arithmetic.anything(y.dtype)
        return place >= 0 && place < size ? x.data[start + place * stride]! : arithmetic.element(y.dtype, outside[y.dtype])
      }),
    }
  },
  scatterAdd: (context, { x: xs, ids: points, axis }, y) => {
    const { arithmetic, valueOf } = context
    const [x, ids] = [valueOf(xs), valueOf(points)]
    const axes = axisNames(y)
    const size = declaredSize(context, y, axis)
    const layout = { axes, sizes: axes.map((name) => (name === axis ? size : sizeIn(x, name)!)) }
    const stride = stridesOf(layout).get(axis)!
    const idPlaces = placesOf(x, stridesOf(ids))
    const terms = range(countOf(layout.sizes)).map((): (typeof x.data)[number][] => [])
    placesOf(x, without(stridesOf(layout), axis)).forEach((start, i) => {
      const place = arithmetic.place(ids.data[idPlaces[i]!]!)
      if (place === undefined) for (let k = 0; k < size; k++) terms[start + k * stride]!.push(arithmetic.anything(y.dtype))
      else if (place >= 0 && place < size) terms[start + place * stride]!.push(x.data[i]!)
    })
    return { ...layout, data: terms.map((group) => arithmetic.sum(y.dtype, group)) }
  },
  scatterSet: ({ arithmetic, valueOf }, { x: xs, ids: points, values: put, axis }) => {
    const [x, ids, values] = [valueOf(xs), valueOf(points), valueOf(put)]
    const [size, stride] = [sizeIn(x, axis)!, stridesOf(x).get(axis)!]
    const data = [...x.data]
    const idPlaces = placesOf(values, stridesOf(ids))
    placesOf(values, without(stridesOf(x), axis)).forEach((start, i) => {
      const place = arithmetic.place(ids.data[idPlaces[i]!]!)
      if (place === undefined) for (let k = 0; k < size; k++) data[start + k * stride] = arithmetic.anything(xs.dtype)
      else if (place >= 0 && place < size) data[start + place * stride] = values.data[i]!
    })
    return { ...x, data }
  },
  slice: (context, { x: xs, axis, start, step }, y) => {
    const x = context.valueOf(xs)
    const layout = resized(x, axis, declaredSize(context, y, axis))
    const [first, stride] = [context.number(start), stridesOf(x).get(axis)!]
    return { ...layout, data: along(layout, x, axis).map(([rest, i]) => x.data[rest + (first + step * i) * stride]!) }
  },
  pad: (context, { x: xs, axis, start, step }, y) => {
    const x = context.valueOf(xs)
    const layout = resized(x, axis, declaredSize(context, y, axis))
    const [first, stride, size] = [context.number(start), stridesOf(x).get(axis)!, sizeIn(x, axis)!]
    const zero = context.arithmetic.element(y.dtype, 0)
    return {
      ...layout,
      data: along(layout, x, axis).map(([rest, j]) => {
        const i = (j - first) / step
        return Number.isInteger(i) && i >= 0 && i < size ? x.data[rest + i * stride]! : zero
      }),
    }
  },
  flip: ({ valueOf }, { x: xs, axis }) => {
    const x = valueOf(xs)
    const [stride, last] = [stridesOf(x).get(axis)!, sizeIn(x, axis)! - 1]
    return { ...x, data: along(x, x, axis).map(([rest, i]) => x.data[rest + (last - i) * stride]!) }
  },
  concat: ({ valueOf }, { parts, axis }, y) => {
    const values = parts.map(valueOf)
    const axes = axisNames(y)
    const size = values.reduce((total, x) => total + sizeIn(x, axis)!, 0)
    const layout = { axes, sizes: axes.map((name) => (name === axis ? size : sizeIn(values[0]!, name)!)) }
    const strides = stridesOf(layout)
    // For each place of the result, which of all the parts' elements lies there.
    const sources: number[] = []
    let [start, before] = [0, 0]
    for (const x of values) {
      for (const [i, place] of placesOf(x, strides).entries()) sources[start * strides.get(axis)! + place] = before + i
      start += sizeIn(x, axis)!
      before += x.data.length
    }
    const all = values.flatMap((x) => x.data)
    return { ...layout, data: sources.map((i) => all[i]!) }
  },
  split: (context, { x: xs, axis, outer, inner }, y) => {
    const x = context.valueOf(xs)
    const m = declaredSize(context, y, inner)
    // Of no elements the array does not tell how many rows they are.
    const n = m === 0 ? declaredSize(context, y, outer) : sizeIn(x, axis)! / m
    const sizes = x.axes.flatMap((name, i) => (name === axis ? [n, m] : [x.sizes[i]!]))
    return { axes: x.axes.flatMap((name) => (name === axis ? [outer, inner] : [name])), sizes, data: x.data }
  },
  merge: ({ valueOf }, { x: xs, axis, outer, inner }, y) => {
    const x = valueOf(xs)
    const [n, m] = [sizeIn(x, outer)!, sizeIn(x, inner)!]
    const axes = axisNames(y)
    const layout = { axes, sizes: axes.map((name) => (name === axis ? n * m : sizeIn(x, name)!)) }
    const strides = stridesOf(x)
    const rest = new Map([...strides].filter(([name]) => name !== outer && name !== inner))
    const index = placesOf(layout, new Map([[axis, 1]]))
    const data = placesOf(layout, rest).map((place, i) => {
      const at = index[i]!
      return x.data[place + Math.floor(at / m) * strides.get(outer)! + (at % m) * strides.get(inner)!]!
    })
    return { ...layout, data }
  },
  rename: ({ valueOf }, { x: xs, names }) => {
    const x = valueOf(xs)
    return { ...x, axes: x.axes.map(renamed(names)) }
  },
  stopGradient: ({ valueOf }, { x }) => valueOf(x),
  custom: ({ valueOf }, { x }) => valueOf(x),
  checkpoint: ({ valueOf }, { x }) => valueOf(x),
  barrier: ({ valueOf }, { x }) => valueOf(x),
  invalid: () => {
    throw new Error('an expression with errors has no value: read graphErrors first')
  },
}
