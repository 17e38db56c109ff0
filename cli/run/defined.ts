type Defined<R> = { readonly [K in keyof R]: Exclude<R[K], undefined> }

/** A record without the keys that are there and undefined, as zod makes optional ones. */
export const defined = <R extends object>(record: R): Defined<R> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Defined<R>
