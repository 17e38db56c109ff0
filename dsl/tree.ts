/** Trees of parameters, specs and values: records and arrays down to leaves, walked in the order in which they were written. */
export interface Leaf<X> {
  /** `layers.0.up`; empty for a tree that is one leaf. */
  readonly path: string
  readonly value: X
}

type Branch = Readonly<Record<string, unknown>> | readonly unknown[]

/** Two leaves never have one path: a key that is no plain word is quoted. */
const join = (path: string, key: string): string => {
  if (!/^[\p{L}\p{N}_$-]+$/u.test(key)) return `${path}[${JSON.stringify(key)}]`
  return path === '' ? key : `${path}.${key}`
}

const isBranch = (tree: unknown): tree is Branch => typeof tree === 'object' && tree !== null && !ArrayBuffer.isView(tree)

export const leaves =
  <X>(isLeaf: (tree: unknown) => tree is X) =>
  (tree: unknown, path = ''): readonly Leaf<X>[] => {
    if (isLeaf(tree)) return [{ path, value: tree }]
    return isBranch(tree) ? Object.entries(tree).flatMap(([key, child]) => leaves(isLeaf)(child, join(path, key))) : []
  }

/** The same tree with each leaf replaced. What is neither leaf nor branch stays. */
export const mapTree =
  <X>(isLeaf: (tree: unknown) => tree is X) =>
  (f: (leaf: X, path: string) => unknown) =>
  (tree: unknown, path = ''): unknown => {
    if (isLeaf(tree)) return f(tree, path)
    if (Array.isArray(tree)) return tree.map((child, i) => mapTree(isLeaf)(f)(child, join(path, String(i))))
    return isBranch(tree)
      ? Object.fromEntries(Object.entries(tree).map(([key, child]) => [key, mapTree(isLeaf)(f)(child, join(path, key))]))
      : tree
  }
