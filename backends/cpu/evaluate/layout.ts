/** Elements in row-major order along named axes. */
export interface Layout {
  readonly axes: readonly string[]
  readonly sizes: readonly number[]
}

/** A tensor's elements, of whatever an arithmetic computes with. */
export interface Evaluated<T> extends Layout {
  readonly data: readonly T[]
}

export type Strides = ReadonlyMap<string, number>

/** How far apart neighbours along each axis lie. */
export const stridesOf = ({ axes, sizes }: Layout): Strides => {
  let stride = 1
  return new Map(
    axes
      .map((axis, i): readonly [string, number] => [axis, sizes[i]!])
      .toReversed()
      .map(([axis, size]) => {
        const own = stride
        stride *= size
        return [axis, own]
      }),
  )
}

export const without = (strides: Strides, axis: string): Strides => new Map([...strides].filter(([name]) => name !== axis))

/** For each element of a layout, in order, its place in what has these strides; an axis without a stride does not move it. */
export const placesOf = ({ axes, sizes }: Layout, strides: Strides): readonly number[] => {
  let places = [0]
  axes.forEach((axis, i) => {
    const [size, stride] = [sizes[i]!, strides.get(axis) ?? 0]
    const next: number[] = []
    for (const place of places) for (let k = 0; k < size; k++) next.push(place + k * stride)
    places = next
  })
  return places
}

export const sizeIn = ({ axes, sizes }: Layout, axis: string): number | undefined => sizes[axes.indexOf(axis)]

/** The named axes of some operands, each with the size that the first operand to have it has. */
export const layoutOf = (axes: readonly string[], operands: readonly Layout[]): Layout => ({
  axes,
  sizes: axes.map((axis) => operands.map((x) => sizeIn(x, axis)).find((size) => size !== undefined)!),
})
