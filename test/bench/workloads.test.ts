import { mapTree } from 'axgrad/dsl'
import { expect, onTestFinished, test } from 'vitest'
import { evaluate } from '../../backends/cpu/evaluate.js'
import { opened } from '../../bench/peers/axgrad/contender.js'
import { configOf, heldShapes, parameterTree } from '../../bench/peers/axgrad/parameters.js'
import { simple } from '../../bench/peers/axgrad/programs.js'
import { stepProgram } from '../../bench/peers/axgrad/step-job.js'
import { adamWSettings } from '../../bench/peers/expected/step.js'
import { judgeOf, type Made } from '../../bench/peers/expected/index.js'
import type { DecoderSizes } from '../../bench/peers/inputs/decoder.js'
import { type Inputs, inputsOf, type Kind, type Sizes } from '../../bench/peers/inputs/index.js'
import { tolerance } from '../../bench/peers/measure.js'
import type { Workload } from '../../bench/peers/workloads.js'
import { isValue } from '../is-value.js'
import { right } from '../right.js'

const decoder: DecoderSizes = { batch: 3, time: 5, vocab: 11, width: 8, layers: 2, heads: 2, ffn: 12, deviation: 0.3 }

const small: { readonly [K in Kind]: Sizes[K] } = {
  product: { rows: 5, depth: 7, columns: 3 },
  pointwise: { elements: 19 },
  tokens: { batch: 3, time: 5, vocab: 7 },
  grpo: { batch: 4, time: 9 },
  step: decoder,
  decoding: decoder,
  chain: { rows: 3 },
}

const kinds = Object.keys(small) as readonly Kind[]

const judgeAt = (kind: Kind, sizes: Sizes[Kind]) => {
  const workload = { name: kind, kind, title: kind, sizes, resized: sizes } as Workload
  return judgeOf(workload, workload.sizes)
}

test.each(kinds)('on the processor %s agrees with float64, at its first sizes and at others', async (kind) => {
  const contender = await opened('cpu')
  onTestFinished(contender.release)
  const wider = kind === 'product' || kind === 'chain' ? { rows: 6 } : kind === 'pointwise' ? { elements: 30 } : { batch: 2 }
  for (const sizes of [small[kind], { ...small[kind], ...wider }]) {
    const job = await contender.bring(kind, sizes, inputsOf(kind, kind, sizes as never))
    await job.run()
    const made = Object.fromEntries(Object.entries(await job.outputs()).map(([name, { data }]) => [name, data]))
    expect(judgeAt(kind, sizes)(made).part).toBeLessThan(tolerance)
  }
})

const valuesOf = (tree: unknown): Made => {
  const made: Record<string, ArrayLike<number>> = {}
  mapTree(isValue)((value, path) => (made[path] = value.data as ArrayLike<number>))(tree)
  return made
}

const value = ({ shape, data }: Inputs[string]) => ({ sizes: shape, data })

const zeros = (shape: readonly number[]) => ({ sizes: shape, data: new Float64Array(shape.reduce((n, size) => n * size, 1)) })

const simpleKinds = Object.keys(simple) as readonly (keyof typeof simple)[]

// Two readings that share nothing: the library's graph in its reference evaluator, and the benchmark's formulas.
test.each(simpleKinds)('the formulas of %s are those of the program, in float64', (kind) => {
  const sizes = small[kind]
  const inputs = inputsOf(kind, kind, sizes as never)
  const program = simple[kind].program(sizes as never)
  const state = Object.fromEntries(Object.entries(simple[kind].makes(sizes as never)).map(([name, shape]) => [name, zeros(shape)]))
  const given = Object.fromEntries(Object.keys(program.inputs as object).map((name) => [name, value(inputs[name]!)]))
  const { outputs, state: next } = right(evaluate(program, given as never, state as never))
  expect(judgeAt(kind, sizes)(valuesOf({ ...outputs, ...next })).part).toBeLessThan(1e-12)
})

test('the formulas of a training step are those of the program, in float64', () => {
  const inputs = inputsOf('step', 'step', decoder)
  const shapes = heldShapes(decoder)
  const tree = (of: (name: string) => unknown) => parameterTree(decoder.layers, of)
  const none = tree((name) => zeros(shapes[name]!))
  const first = { params: tree((name) => ({ ...value(inputs[name]!), sizes: shapes[name]! })), moments: { mean: none, square: none } }
  const { x, y, old, ref, adv, mask } = inputs
  const batch = Object.fromEntries(Object.entries({ x, y, old, ref, adv, mask }).map(([name, array]) => [name, value(array!)]))
  const program = stepProgram(configOf(decoder))
  const step = (state: unknown, number: number) =>
    right(evaluate(program, { ...batch, learningRate: adamWSettings.learningRate, step: number }, state as never))
  const once = step(first, 1)
  const twice = step(once.state, 2)
  const lossOf = ({ outputs }: typeof once) => (outputs as { readonly loss: { readonly data: ArrayLike<number> } }).loss.data
  const mean = valuesOf((once.state as typeof first).moments.mean)
  const names = valuesOf(tree((name) => ({ sizes: [], data: [name] as never })))
  const moments = Object.fromEntries(Object.entries(names).map(([path, name]) => [name[0], mean[path]!] as never))
  expect(judgeAt('step', decoder)({ loss: lossOf(once), next: lossOf(twice), ...moments }).part).toBeLessThan(1e-8)
})

test('a wrong token is seen', async () => {
  const contender = await opened('cpu')
  onTestFinished(contender.release)
  const job = await contender.bring('decoding', decoder, inputsOf('decoding', 'decoding', decoder))
  await job.run()
  const { ids } = await job.outputs()
  const wrong = Int32Array.from(ids!.data, (id, i) => (i === 5 ? (id + 1) % decoder.vocab : id))
  expect(judgeAt('decoding', decoder)({ ids: wrong }).part).toBeGreaterThan(tolerance)
})
