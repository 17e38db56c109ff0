import { evaluateTensors, float64, type Values } from '../backends/cpu/evaluate.js'
import { type AnyTensor, type Bound, type Node, type NodeOf, type ScalarOp, type Tag, topological } from '../dsl/index.js'
import { dependents } from './differences.js'
import type { Objective } from './objective.js'

type Elements = readonly number[]

const never = (): boolean => false
const always = (): boolean => true
const atZero = ([x]: Elements): boolean => x === 0
const atWhole = ([x]: Elements): boolean => Number.isInteger(x)
const equal = ([x, y]: Elements): boolean => x === y

/** Where an operation of floats has a kink or a jump. What has no derivative on either side of a point is no kink. */
const scalarKinks: { readonly [O in ScalarOp]: (operands: Elements) => boolean } = {
  neg: never,
  abs: atZero,
  sign: atZero,
  recip: never,
  exp: never,
  expm1: never,
  log: never,
  log1p: never,
  sqrt: never,
  rsqrt: never,
  sin: never,
  cos: never,
  tanh: never,
  erf: never,
  sigmoid: never,
  softplus: never,
  floor: atWhole,
  add: never,
  sub: never,
  mul: never,
  div: never,
  pow: never,
  mod: ([x, y]) => Number.isInteger(x! / y!),
  min: equal,
  max: equal,
  less: equal,
  lessEqual: equal,
  equal,
  and: never,
  or: never,
  not: never,
  bitAnd: never,
  bitOr: never,
  bitXor: never,
  shiftLeft: never,
  shiftRight: never,
  select: never,
  toF32: never,
  toI32: atWhole,
  toU32: atWhole,
  toBool: atZero,
  floatBits: always,
  bitsToF32: never,
  bitsToI32: never,
  bitsToU32: never,
  threefry0: never,
  threefry1: never,
}

const someEqual = (x: AnyTensor, values: Values<number>): boolean => {
  const { data } = values.get(x.node)!
  return new Set(data).size < data.length
}

type Row<T extends Tag> = (node: NodeOf<T>, y: AnyTensor, values: Values<number>) => boolean

const ofElements: Row<'max' | 'min' | 'argMax' | 'argMin' | 'argSort'> = ({ x }, _y, values) => someEqual(x, values)

/** Where a node has a kink or a jump in its floats: whether it may be at one. */
const nodeKinks: { readonly [T in Tag]: Row<T> } = {
  input: never,
  constant: never,
  iota: never,
  extent: never,
  map: ({ op, operands }, y, values) => {
    const own = operands.map((x) => values.get(x.node)!)
    const result = values.get(y.node)!
    // An operand with other axes than the result's is met with all of it: whatever may tie with something does.
    const inStep = own.every(({ axes }) => axes.length === result.axes.length && axes.every((name, i) => name === result.axes[i]))
    if (inStep) return result.data.some((_, i) => scalarKinks[op](own.map(({ data }) => data[i]!)))
    const [first = [], ...rest] = own.map(({ data }) => [...new Set(data)])
    const combinations = rest.reduce<readonly Elements[]>(
      (all, data) => all.flatMap((c) => data.map((x) => [...c, x])),
      first.map((x) => [x]),
    )
    return combinations.some(scalarKinks[op])
  },
  broadcast: never,
  sum: never,
  max: ofElements,
  min: ofElements,
  argMax: ofElements,
  argMin: ofElements,
  argSort: ofElements,
  contract: never,
  linearRecurrence: never,
  gather: never,
  scatterAdd: never,
  scatterSet: never,
  slice: never,
  pad: never,
  flip: never,
  concat: never,
  split: never,
  merge: never,
  rename: never,
  stopGradient: never,
  custom: never, // what its derivative is, its rule says
  checkpoint: never,
  barrier: never,
  invalid: never,
}

/**
 * Whether some part of a loss may be at a kink or a jump. There the whole may have a derivative that no choice at the part gives:
 * |x|·sign(x) at 0.
 */
export const mayBeAtKink = ({ loss, stops, sources }: Objective, bound: Bound): boolean => {
  const values = evaluateTensors([loss], bound, float64)
  const moving = dependents(
    { y: loss, stops },
    sources.map(({ value }) => value),
  )
  return topological([loss]).some((x) => {
    if (!moving.has(x.node)) return false
    return (nodeKinks[x.node.tag] as (node: Node, y: AnyTensor, values: Values<number>) => boolean)(x.node, x, values)
  })
}
