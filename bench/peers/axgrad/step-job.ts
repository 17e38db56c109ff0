import { grpoLoss } from 'axgrad/algorithms'
import { valueAndGrad } from 'axgrad/autodiff'
import type { DeviceTensor } from 'axgrad/backends'
import { f32, type HostTensor, i32, program, type Program, tokenLogProbs } from 'axgrad/dsl'
import { type DecoderConfig, type DecoderParameters, decoderSpecs, logits } from 'axgrad/models'
import { adamW } from 'axgrad/training'
import { pipe } from 'fp-ts/lib/function.js'
import { grpoSettings } from '../expected/policy-loss.js'
import { adamWSettings } from '../expected/step.js'
import type { DecoderSizes } from '../inputs/decoder.js'
import type { Inputs } from '../inputs/index.js'
import type { Job } from '../protocol/serve.js'
import { countsOf, onDemand } from './loading.js'
import { mustDo } from './must.js'
import { configOf, heldShapes, parameterTree } from './parameters.js'
import { eachOf, hold, holdZeros, type Place, read } from './place.js'
import { clip, tokenFields } from './programs.js'

/** Loss, gradients and AdamW as one program. */
export const stepProgram = (config: DecoderConfig): Program<unknown, unknown, unknown> => {
  const parameters = decoderSpecs(config)
  return program({
    inputs: { x: i32('batch', 'time'), y: i32('batch', 'time'), ...tokenFields, learningRate: f32(), step: f32() },
    state: { params: parameters, moments: { mean: parameters, square: parameters } },
    body: ({ x, y, old, ref, adv, mask, learningRate, step }, state) => {
      const fields = { oldLogProbs: old, refLogProbs: ref, advantages: adv, responseMask: mask }
      const loss = (params: DecoderParameters) => {
        const logProbs = pipe(logits(config)(params, x), tokenLogProbs('vocab')(y))
        return grpoLoss({ clip, beta: grpoSettings.beta })({ logProbs, ...fields })
      }
      const { value, grad } = valueAndGrad(loss)(state.params)
      return { outputs: { loss: value }, state: adamW(adamWSettings)(state, { grads: grad, learningRate, step }) }
    },
  })
}

const batchTypes = { x: 'i32', y: 'i32', old: 'f32', ref: 'f32', adv: 'f32', mask: 'bool' } as const

/** A training step as a job: parameters and moments stay on the device, each run is the next step on the same batch. */
export const stepJob = (place: Place): ((sizes: DecoderSizes, inputs: Inputs) => Promise<Job>) => {
  let config: DecoderConfig | undefined
  const demanded = onDemand(place.device, () => stepProgram(config!))
  return async (sizes, inputs) => {
    config ??= configOf(sizes)
    const shapes = heldShapes(sizes)
    const batch = await eachOf(batchTypes, (dtype, name) => hold(place, dtype, inputs[name]!))
    const params = await eachOf(shapes, (shape, name) => hold(place, 'f32', { ...inputs[name]!, shape }))
    const mean = await eachOf(shapes, (shape) => holdZeros(place, 'f32', shape))
    const square = await eachOf(shapes, (shape) => holdZeros(place, 'f32', shape))
    const tree = (of: Readonly<Record<string, DeviceTensor>>) => parameterTree(sizes.layers, (name) => of[name]!)
    const state = { params: tree(params), moments: { mean: tree(mean), square: tree(square) } }
    let step = 0
    const given = () => ({ ...batch, learningRate: adamWSettings.learningRate, step })
    let loss = NaN
    const run = async (): Promise<void> => {
      const { loaded } = await demanded()
      step += 1
      const made = (await mustDo(loaded.run(given() as never, state as never))) as { readonly loss: HostTensor }
      loss = made.loss.data[0]!
    }
    return {
      run,
      outputs: async () => {
        const first = loss
        const moments = await eachOf(mean, (tensor) => read(place, tensor))
        await run()
        const number = (x: number) => ({ shape: [], data: Float32Array.of(x) })
        return { loss: number(first), next: number(loss), ...moments }
      },
      counts: async () => countsOf(await demanded(), given(), state),
      drop: () => [batch, params, mean, square].flatMap((record) => Object.values(record)).forEach(place.device.drop),
    }
  }
}
