import { axisNames, build, isTensor, leaves, mapTree, type Scalar, type Tensor } from '../dsl/index.js'

/**
 * A leaf of a tree of parameters, whatever its axes: an optimizer treats all alike, and the leaves at one place of several trees have
 * the same, so one name stands for them in the types.
 */
export type Parameter = Tensor<'parameter'>

const parameterLeaves = leaves((tree): tree is Parameter => isTensor(tree))

export const parametersOf = (tree: unknown): readonly Parameter[] => parameterLeaves(tree).map(({ value }) => value)

/** f at every leaf. */
export const mapParameters =
  (f: (x: Parameter) => Parameter) =>
  <P>(tree: P): P =>
    mapTree(isTensor)((x) => f(x as Parameter))(tree) as P

/** f at the leaves that have the same place in two trees of one shape. */
export const zipParameters =
  (f: (x: Parameter, y: Parameter) => Parameter) =>
  <P>(left: P, right: P): P => {
    const places = new Map(parameterLeaves(right).map(({ path, value }) => [path, value]))
    return mapTree(isTensor)((x, path) => f(x as Parameter, places.get(path) ?? (x as Parameter)))(left) as P
  }

/** Σ over every element of a leaf. */
export const total = (x: Parameter): Scalar => build.sum(...axisNames(x))(x) as unknown as Scalar
