import fc from 'fast-check'
import type { PreferenceBatch } from '../../../algorithms/index.js'
import { valueAndGrad } from '../../../autodiff/index.js'
import { evaluate } from '../../../backends/cpu/evaluate.js'
import { bool, f32, type HostTensor, program, type Scalar, type Value } from '../../../dsl/index.js'
import { right } from '../../right.js'

export const responseSpec = { logProbs: f32('batch', 'time'), refLogProbs: f32('batch', 'time'), responseMask: bool('batch', 'time') }

export const pairSpec = { chosen: responseSpec, rejected: responseSpec, weights: f32('batch') }

/** Rows of tokens. */
export type Rows = readonly (readonly number[])[]

export interface Responses {
  readonly logProbs: Rows
  readonly refLogProbs: Rows
  readonly responseMask: Rows
}

export interface Pairs {
  readonly chosen: Responses
  readonly rejected: Responses
  readonly weights: readonly number[]
}

export type Batch = Required<PreferenceBatch>
export type Loss = (batch: Batch) => Scalar

const rows = (shape: { readonly batch: number; readonly time: number }, element: fc.Arbitrary<number>): fc.Arbitrary<Rows> =>
  fc.array(fc.array(element, { minLength: shape.time, maxLength: shape.time }), { minLength: shape.batch, maxLength: shape.batch })

const between = (min: number, max: number): fc.Arbitrary<number> => fc.double({ min, max, noNaN: true })

/** Pairs of short responses with any masks: some without a token, some pairs without one. */
export const anyPairs: fc.Arbitrary<Pairs> = fc
  .record({ batch: fc.integer({ min: 1, max: 4 }), time: fc.integer({ min: 1, max: 5 }) })
  .chain((shape) => {
    const responses = fc.record({
      logProbs: rows(shape, between(-6, -0.01)),
      refLogProbs: rows(shape, between(-6, -0.01)),
      responseMask: rows(shape, fc.constantFrom(0, 1)),
    })
    const weights = fc.array(between(0.1, 2), { minLength: shape.batch, maxLength: shape.batch })
    return fc.record({ chosen: responses, rejected: responses, weights })
  })

const value = (of: Rows): Value => ({ sizes: [of.length, of[0]?.length ?? 0], data: of.flat() })

const responseValues = ({ logProbs, refLogProbs, responseMask }: Responses) => ({
  logProbs: value(logProbs),
  refLogProbs: value(refLogProbs),
  responseMask: value(responseMask),
})

export const pairValues = ({ chosen, rejected, weights }: Pairs) => ({
  chosen: responseValues(chosen),
  rejected: responseValues(rejected),
  weights: { sizes: [weights.length], data: weights },
})

interface Gradients {
  readonly logProbs: HostTensor
  readonly refLogProbs: HostTensor
}

export interface Lost {
  readonly value: number
  readonly grad: { readonly chosen: Gradients; readonly rejected: Gradients; readonly weights: HostTensor }
}

/** A loss of some pairs and its gradient by every field that is not a mask. */
export const lossAndGrad =
  (loss: Loss, precision: 'f32' | 'f64' = 'f64') =>
  (pairs: Pairs): Lost => {
    const made = program({
      inputs: pairSpec,
      body: ({ chosen: { responseMask, ...chosen }, rejected: { responseMask: rejectedMask, ...rejected }, weights }) => ({
        outputs: valueAndGrad(
          (p: { readonly chosen: typeof chosen; readonly rejected: typeof rejected; readonly weights: typeof weights }) =>
            loss({ chosen: { ...p.chosen, responseMask }, rejected: { ...p.rejected, responseMask: rejectedMask }, weights: p.weights }),
        )({ chosen, rejected, weights }),
      }),
    })
    const { value, grad } = right(evaluate(made, pairValues(pairs), undefined, { precision })).outputs
    return { value: value.data[0]!, grad }
  }

/** The gradients by the policy's log-probabilities, chosen and then rejected, row by row. */
export const policyGradients = ({ grad: { chosen, rejected } }: Lost): readonly number[] => [
  ...chosen.logProbs.data,
  ...rejected.logProbs.data,
]

const mapResponses =
  (f: (rows: Rows, field: keyof Responses) => Rows) =>
  ({ logProbs, refLogProbs, responseMask }: Responses): Responses => ({
    logProbs: f(logProbs, 'logProbs'),
    refLogProbs: f(refLogProbs, 'refLogProbs'),
    responseMask: f(responseMask, 'responseMask'),
  })

/** The pairs at some places of the batch, in that order. */
export const takePairs =
  (places: readonly number[]) =>
  ({ chosen, rejected, weights }: Pairs): Pairs => {
    const take = mapResponses((of) => places.map((i) => of[i]!))
    return { chosen: take(chosen), rejected: take(rejected), weights: places.map((i) => weights[i]!) }
  }

/** Each response changed, the mask as it was or as `f` says. */
const mapPairs =
  (f: (response: Responses) => Responses) =>
  ({ chosen, rejected, weights }: Pairs): Pairs => ({ chosen: f(chosen), rejected: f(rejected), weights })

/** The pairs with columns of `filler` before and behind and a row of it below, all of it outside the masks. */
export const padded =
  (filler: number, { before, behind }: { readonly before: number; readonly behind: number }) =>
  (pairs: Pairs): Pairs => {
    const grown = mapPairs(
      mapResponses((of, field) => {
        const fill = field === 'responseMask' ? 0 : filler
        const wide = of.map((row) => [...Array<number>(before).fill(fill), ...row, ...Array<number>(behind).fill(fill)])
        return [...wide, wide[0]!.map(() => fill)]
      }),
    )(pairs)
    return { ...grown, weights: [...grown.weights, filler] }
  }
