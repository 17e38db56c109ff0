import { isRight } from 'fp-ts/lib/Either.js'
import { expect, test } from 'vitest'
import type { Device } from '../../backends/backend.js'
import { leaves, random } from '../../dsl/index.js'
import { type DecoderConfig, decoderSpecs, initialParameters } from '../../models/index.js'
import { follow, initialState, loadSupervised, readTree, type Report, train } from '../../training/index.js'
import { isValue } from '../is-value.js'
import { onCpu, right } from './tiny.js'
import { recalling } from '../tasks/recalling.js'

const environment = recalling({ names: 2, forgets: 0 })
const config: DecoderConfig = { vocab: environment.vocabulary.length, embed: 16, layers: 1, heads: 2, headDim: 8, ffn: 16 }
const specs = decoderSpecs(config)

const settings = {
  stages: [
    { steps: 17, environment },
    { steps: 33, environment, probes: 0.3 },
  ],
  ...{ rows: 8, learningRate: 1e-2, decay: 0.4, optimizer: { beta2: 0.98 }, maxNorm: 1 },
}

/** The reports of a warm start and the parameters after it. */
const taught = async (device: Device) => {
  const { learner, batches, steps } = right(await loadSupervised(device, config)(settings, random.key(3))())
  const state = right(await initialState(device)(specs, initialParameters(config, random.key(1)))())
  const reports: Report<unknown>[] = []
  const end = right(await follow((report: Report<unknown>) => reports.push(report))(train(learner, state, batches(0)))())
  return {
    steps,
    reports,
    params: leaves(isValue)(right(await readTree(device)(specs, end.params)())).flatMap(({ value }) => [...value.data]),
  }
}

test('a policy learns what the oracle says, the same bits each time', () =>
  onCpu(async (device) => {
    const { steps, reports, params } = await taught(device)
    expect(reports).toHaveLength(steps)
    const mean = (from: number): number => reports.slice(from, from + 10).reduce((sum, { loss }) => sum + loss / 10, 0)
    expect(mean(0)).toBeGreaterThan(1.5)
    expect(mean(steps - 10)).toBeLessThan(mean(0) / 2)
    expect(reports.map(({ learningRate }) => learningRate).slice(29, 32)).toEqual([0.01, 0.01 * (20 / 21), 0.01 * (19 / 21)])
    expect((await taught(device)).params).toEqual(params)
  }))

test('what is not taught is not in the batch', async () => {
  const stages = [{ steps: 1, environment, probes: 0.5 }]
  await onCpu(async (device) => {
    const { batches } = right(await loadSupervised(device, config)({ ...settings, stages }, random.key(3))())
    for await (const batch of batches(0)) {
      if (!isRight(batch)) throw new Error('no batch')
      const { given, about } = batch.right
      const mask = leaves(isValue)(given).find(({ path }) => path === 'responseMask')!.value
      expect([...mask.data].filter((x) => x === 1)).toHaveLength(about.tokens)
    }
  })
})
