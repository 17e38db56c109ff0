import { createHash } from 'node:crypto'
import { valueAndGrad } from '../../autodiff/index.js'
import type { Device } from '../../backends/backend.js'
import { evaluate } from '../../backends/cpu/evaluate.js'
import {
  f32,
  type GivenFor,
  isSpec,
  leaves,
  mapTree,
  mul,
  type Program,
  program,
  random,
  type Scalar,
  sizes,
  sub,
  type Value,
} from '../../dsl/index.js'
import { type DecoderConfig, decoderSpecs, initialParameters, logits } from '../../models/index.js'
import { type AdamWState, holdTree, nextTokens, readTree, sequenceSpecs, stepProgram, supervisedLoss } from '../../training/index.js'
import { zipParameters } from '../../training/parameters.js'
import { load, must } from '../backends/opened.js'
import { isValue } from '../is-value.js'
import { right } from '../right.js'

/** Thirty steps of a decoder of two layers, on sequences of different lengths: on the reference in float64, and on devices. */

const config: DecoderConfig = { vocab: 11, embed: 8, layers: 2, heads: 2, headDim: 4, ffn: 12 }
const parameters = decoderSpecs(config)
const initial = initialParameters(config, random.key(30))

const steps = 30
const rows = 3

const draw = (step: number, row: number, i: number, below: number): number =>
  random.integer(random.fold(random.key(7), 100 * step + row), i, below)

/** Each row is a count: from some number in steps of another, modulo the vocabulary. */
const batchOf = (step: number) =>
  nextTokens(
    Array.from({ length: rows }, (_, row) => {
      const [from, by, length] = [draw(step, row, 0, config.vocab), 1 + draw(step, row, 1, 3), 2 + draw(step, row, 2, 5)]
      const ids = Array.from({ length: 2 + length }, (_, i) => (from + i * by) % config.vocab)
      return { prompt: ids.slice(0, 2), answer: ids.slice(2) }
    }),
    0,
  )

const loss = supervisedLoss(logits(config))

type Parameters = typeof parameters

/** A step, and where its state begins. */
export interface Optimizer {
  readonly step: Program<unknown, unknown, { readonly loss: Scalar }>
  readonly begin: Readonly<Record<string, unknown>>
  readonly learningRate: number
}

const sgd = program({
  inputs: { batch: sequenceSpecs, learningRate: f32(), step: f32() },
  state: { params: parameters },
  body: ({ batch, learningRate }, { params }) => {
    const { value, grad } = valueAndGrad((p: typeof params) => loss(p, batch))(params)
    return { outputs: { loss: value }, state: { params: zipParameters((p, g) => sub(p, mul(learningRate, g)))(params, grad) } }
  },
})

const zeros = mapTree(isSpec)(({ axes }): Value => {
  const shape = axes.map(({ size }) => sizes.known(size)!)
  return { sizes: shape, data: new Float32Array(shape.reduce((n, size) => n * size, 1)) }
})(parameters)

export const optimizers: Readonly<Record<'AdamW' | 'SGD', Optimizer>> = {
  AdamW: {
    step: stepProgram({
      name: 'AdamW',
      parameters,
      batch: sequenceSpecs,
      loss,
      optimizer: { epsilon: 1e-6 },
    }),
    begin: { params: initial, moments: { mean: zeros, square: zeros } } satisfies Record<keyof AdamWState<Parameters>, unknown>,
    learningRate: 0.01,
  },
  // Faster steps are chaotic: at 0.1 the reference in float32 is 1e-2 from itself in float64 after thirty of them.
  SGD: { step: sgd, begin: { params: initial }, learningRate: 0.02 },
}

/** The loss of each step, and the parameters after all. */
export interface Trajectory {
  readonly losses: readonly number[]
  readonly params: readonly number[]
}

const numbersOf = (tree: unknown): readonly number[] => leaves(isValue)(tree).flatMap(({ value }) => [...value.data])

/** No drift is too great, where a step asks. */
const inputsAt = ({ step: { inputs }, learningRate }: Optimizer, step: number) =>
  ({
    ...{ batch: batchOf(step), learningRate, step },
    ...('mostDrift' in (inputs as object) && { mostDrift: Infinity }),
  }) as unknown as GivenFor<unknown>

export const onReference = (optimizer: Optimizer): Trajectory => {
  const { step: p, begin } = optimizer
  let state: unknown = begin
  const losses = Array.from({ length: steps }, (_, i) => {
    const made = right(evaluate(p, inputsAt(optimizer, i + 1), state as GivenFor<unknown>))
    state = made.state
    return made.outputs.loss.data[0]!
  })
  return { losses, params: numbersOf((state as { readonly params: unknown }).params) }
}

export const onDevice = async (device: Device, optimizer: Optimizer): Promise<Trajectory> => {
  const { step: p, begin } = optimizer
  const loaded = await load(device, p)
  const state = await must(holdTree(device)(p.state, begin))
  const losses: number[] = []
  for (let step = 1; step <= steps; step++) losses.push((await must(loaded.run(inputsAt(optimizer, step), state))).loss.data[0]!)
  const { params } = (await must(readTree(device)(p.state, state))) as unknown as { readonly params: unknown }
  return { losses, params: numbersOf(params) }
}

/** Of the parameters' bytes. */
export const sha256 = ({ params }: Trajectory): string => createHash('sha256').update(Float32Array.from(params)).digest('hex')

/** The greatest relative difference of the losses, and the greatest of the parameters. */
export const apart = (made: Trajectory, expected: Trajectory) => ({
  losses: Math.max(...made.losses.map((x, i) => Math.abs(x - expected.losses[i]!) / Math.abs(expected.losses[i]!))),
  params: Math.max(...made.params.map((x, i) => Math.abs(x - expected.params[i]!))),
})
