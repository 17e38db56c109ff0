import { type Key, random } from '../dsl/index.js'
import type { Draw } from '../tasks/environment.js'

/** The stream of whole numbers that a key begins. */
export const drawFrom =
  (key: Key): Draw =>
  (i, n) =>
    random.integer(key, i, n)
