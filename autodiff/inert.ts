import type { Tag } from '../dsl/index.js'

const nothing = (): undefined => undefined

/** The nodes through which no derivative passes, in either mode: what is given, where an element lies, and what is stopped. */
export const inert = {
  argMax: nothing,
  argMin: nothing,
  argSort: nothing,
  input: nothing,
  constant: nothing,
  iota: nothing,
  extent: nothing,
  stopGradient: nothing,
  invalid: nothing,
} as const satisfies { readonly [T in Tag]?: () => undefined }
