/** A list in so many parts in their order, as equal as can be, none of them empty. */
export const evenly = <X>(list: readonly X[], count: number): readonly (readonly X[])[] =>
  Array.from({ length: count }, (_, i) =>
    list.slice(Math.round((i * list.length) / count), Math.round(((i + 1) * list.length) / count)),
  ).filter(({ length }) => length > 0)
