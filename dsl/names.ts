/** The names of some axes, at least one. */
export type Names<N extends string> = readonly [N, ...(readonly N[])]
