import { cotangentOf, cotangents } from '../../autodiff/index.js'
import { type AnyTensor, build, nested, type Program, program, type SpecTree, type TensorsOf, type TensorTree } from '../../dsl/index.js'
import { type GoldenCase, type Nested, readGolden } from './golden-file.js'

/** A case made ready to run: a program whose outputs bear the names of the case's, and what it is given. */
export interface Prepared {
  readonly program: Program<unknown, unknown, unknown>
  readonly inputs: unknown
}

/** How the cases of one file, of settings `P`, are run by this library. */
interface RowOf<P> {
  readonly file: string
  /** How many cases there must be: a file that is lost or cut short is a failure. */
  readonly cases: number
  /** Outputs that the peer computed in float32, by path. */
  readonly inFloat32?: readonly string[]
  /** Outputs of the peer that are left unread, by path or all below one, with the reason beside them. */
  readonly without?: readonly string[]
  /** Where this library differs from the peer on purpose, by path: what it gives in its place. */
  readonly differs?: (golden: GoldenCase<P>) => Readonly<Record<string, Ours>>
  readonly prepare: (golden: GoldenCase<P>) => Prepared
}

/** A result that is not the peer's, with the reason. */
export interface Ours {
  readonly ours: Nested
  readonly because: string
}

export interface Row extends Omit<RowOf<never>, 'prepare' | 'differs'> {
  /** Every case of the file in a folder, ready to run. */
  readonly prepared: (
    folder?: URL,
  ) => readonly (Prepared & { readonly golden: GoldenCase; readonly differs: Readonly<Record<string, Ours>> })[]
}

export const row = <P = unknown>({ prepare, differs = () => ({}), ...rest }: RowOf<P>): Row => ({
  ...rest,
  prepared: (folder) => readGolden<P>(rest.file, folder).cases.map((golden) => ({ golden, differs: differs(golden), ...prepare(golden) })),
})

interface Parts<I> {
  readonly inputs: I & SpecTree
  /** Inputs that the case does not have under these names. */
  readonly given?: Readonly<Record<string, Nested>>
  /** The inputs whose gradient the case records. */
  readonly by?: readonly string[]
  readonly outputs: (inputs: TensorsOf<I>) => { readonly value: AnyTensor; readonly [name: string]: TensorTree }
}

/** The order in which the files write the axes of an array. */
const order = ['batch', 'turn', 'time', 'vocab']

const inOrder = (x: AnyTensor): AnyTensor => build.broadcastTo(x.axes.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name)))(x)

const treeInOrder = (tree: TensorTree): TensorTree =>
  'node' in tree ? inOrder(tree as AnyTensor) : Object.fromEntries(Object.entries(tree).map(([name, x]) => [name, treeInOrder(x)]))

/** The program of a case: its outputs, and the gradient of Σ value by each input of `by`. */
export const prepare = <const I extends Readonly<Record<string, unknown>>>(
  golden: GoldenCase,
  { inputs, given = {}, by = [], outputs }: Parts<I>,
): Prepared => ({
  program: program({
    inputs,
    body: (tensors: TensorsOf<I>) => {
      const made = outputs(tensors)
      const sources = by.map((name) => (tensors as Readonly<Record<string, AnyTensor>>)[name]!)
      const flow = cotangents([[made.value, build.filled(1, made.value)]], sources)
      const grads = Object.fromEntries(by.map((name, i) => [name, cotangentOf(flow, sources[i]!)]))
      return { outputs: treeInOrder({ ...made, grads }) }
    },
  }),
  inputs: Object.fromEntries(
    Object.entries({ ...golden.inputs, ...given }).flatMap(([name, x]) => (name in inputs ? [[name, nested(x as never)]] : [])),
  ),
})
