/** Trees of parameters, specs and values: records and arrays down to leaves, walked in the order in which they were written. */
export interface Leaf<X> {
  /** `layers.0.up`; empty for a tree that is one leaf. */
  readonly path: string
  readonly value: X
}

type Branch = Readonly<Record<string, unknown>> | readonly unknown[]

/** The first is quicker, and most keys are what it asks for. */
const isWord = (key: string): boolean => /^[\w$-]+$/.test(key) || /^[\p{L}\p{N}_$-]+$/u.test(key)

/** Two leaves never have one path: a key that is no plain word is quoted. */
const join = (path: string, key: string): string => {
  if (!isWord(key)) return `${path}[${JSON.stringify(key)}]`
  return path === '' ? key : `${path}.${key}`
}

const isBranch = (tree: unknown): tree is Branch => typeof tree === 'object' && tree !== null && !ArrayBuffer.isView(tree)

export const leaves =
  <X>(isLeaf: (tree: unknown) => tree is X) =>
  (tree: unknown, path = ''): readonly Leaf<X>[] => {
    if (isLeaf(tree)) return [{ path, value: tree }]
    return isBranch(tree) ? Object.entries(tree).flatMap(([key, child]) => leaves(isLeaf)(child, join(path, key))) : []
  }

/**
 * The leaves of a tree that should have the shape of another. Where that has a branch, a branch whose keys are all keys of the other's is no
 * leaf, whatever it looks like: so a parameter may be called `data`.
 */
export const leavesLike =
  <X>(isModelLeaf: (tree: unknown) => boolean, isLeaf: (tree: unknown) => tree is X) =>
  (model: unknown, tree: unknown, path = ''): readonly Leaf<X>[] => {
    const branch = isBranch(model) && !isModelLeaf(model) ? new Map(Object.entries(model)) : undefined
    const isAlike = branch !== undefined && isBranch(tree) && Object.keys(tree).every((key) => branch.has(key))
    if (!isAlike && isLeaf(tree)) return [{ path, value: tree }]
    if (!isBranch(tree)) return []
    return Object.entries(tree).flatMap(([key, child]) => leavesLike(isModelLeaf, isLeaf)(branch?.get(key), child, join(path, key)))
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

/** The same tree with the first value in place of its first leaf, and so on; the values are as many as the leaves. */
export const withLeaves =
  (isLeaf: (tree: unknown) => tree is unknown) =>
  (tree: unknown, values: readonly unknown[]): unknown => {
    const next = values.values()
    return mapTree(isLeaf)(() => next.next().value)(tree)
  }
