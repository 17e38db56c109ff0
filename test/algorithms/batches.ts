import fc from 'fast-check'
import type { PolicyBatch, Tokens } from '../../algorithms/index.js'
import { evaluate, type EvaluateOptions } from '../../backends/cpu/evaluate.js'
import {
  bool,
  f32,
  type GivenFor,
  i32,
  type MadeBy,
  type Program,
  program,
  type SpecTree,
  type TensorsOf,
  type TensorTree,
  type Value,
} from '../../dsl/index.js'
import { right } from '../right.js'

/** Sizes and masks that a batch may have, one response token or none included. */
export interface Shape {
  readonly batch: number
  readonly time: number
}

export const anyShape: fc.Arbitrary<Shape> = fc.record({ batch: fc.integer({ min: 1, max: 4 }), time: fc.integer({ min: 1, max: 5 }) })

export const numbers = (length: number, element: fc.Arbitrary<number>): fc.Arbitrary<readonly number[]> =>
  fc.array(element, { minLength: length, maxLength: length })

export const between = (min: number, max: number): fc.Arbitrary<number> => fc.double({ min, max, noNaN: true, noDefaultInfinity: true })

export const tokenValues = ({ batch, time }: Shape, element: fc.Arbitrary<number>): fc.Arbitrary<Value> =>
  numbers(batch * time, element).map((data) => ({ sizes: [batch, time], data }))

export const rowValues = ({ batch }: Shape, element: fc.Arbitrary<number>): fc.Arbitrary<Value> =>
  numbers(batch, element).map((data) => ({ sizes: [batch], data }))

export const batchSpec = {
  logProbs: f32('batch', 'time'),
  oldLogProbs: f32('batch', 'time'),
  refLogProbs: f32('batch', 'time'),
  advantages: f32('batch', 'time'),
  responseMask: bool('batch', 'time'),
}

export type BatchValues = Readonly<Record<keyof typeof batchSpec, Value>>

export const anyReward = between(-3, 3)

/** A batch whose policy lies within a few nats of the others, away from nothing: ties and clips occur. */
export const anyBatch: fc.Arbitrary<BatchValues> = anyShape.chain((shape) => {
  const logProb = between(-6, 0)
  return fc.record({
    logProbs: tokenValues(shape, logProb),
    oldLogProbs: tokenValues(shape, logProb),
    refLogProbs: tokenValues(shape, logProb),
    advantages: tokenValues(shape, anyReward),
    responseMask: tokenValues(shape, fc.constantFrom(0, 1)),
  })
})

export const anyMemory = ({ sizes: [batch = 0, time = 0] }: Value): fc.Arbitrary<{ readonly memory: Value; readonly spanTurn: Value }> =>
  fc.integer({ min: 1, max: 3 }).chain((turns) =>
    fc.record({
      memory: numbers(batch * turns, anyReward).map((data) => ({ sizes: [batch, turns], data })),
      spanTurn: tokenValues({ batch, time }, fc.integer({ min: -1, max: turns - 1 })),
    }),
  )

export const memorySpec = { perRow: f32('batch'), memory: f32('batch', 'turn'), spanTurn: i32('batch', 'time') }

/** What stands in padding when nobody has cleaned it, over and over. */
export const anyJunk = fc.array(fc.constantFrom(NaN, Infinity, -Infinity, 1e300, 0), { minLength: 1, maxLength: 5 })

/** What a body gives on any values, traced once: in float64, if nothing else is said. */
export const reader = <const I, O extends TensorTree>(
  inputs: I & SpecTree,
  outputs: (given: TensorsOf<I>) => O,
  options: EvaluateOptions = {},
): ((values: GivenFor<I>) => MadeBy<O>) => {
  const untyped: Program<unknown, unknown, unknown> = program({ inputs, body: (given: TensorsOf<I>) => ({ outputs: outputs(given) }) })
  return (values) => right(evaluate(untyped, values as never, undefined, options)).outputs as MadeBy<O>
}

/** What a body gives on some values, in float64. */
export const run = <const I, O extends TensorTree>(
  inputs: I & SpecTree,
  values: GivenFor<I>,
  outputs: (given: TensorsOf<I>) => O,
): MadeBy<O> => reader(inputs, outputs)(values)

export type Batch = PolicyBatch<Tokens>

export const close = (x: number, y: number): boolean => Object.is(x, y) || Math.abs(x - y) <= 1e-9 * Math.max(1, Math.abs(x), Math.abs(y))

export const allClose = (x: Value, y: Value): boolean =>
  x.data.length === y.data.length && [...x.data].every((e, i) => close(e, y.data[i]!))

export const allZero = (x: Value): boolean => [...x.data].every((e) => e === 0)
