import * as E from 'fp-ts/lib/Either.js'
import type { Device } from '../../backends/backend.js'
import { openCpu } from '../../backends/cpu/index.js'
import { key } from '../../dsl/index.js'
import { type DecoderConfig, decoderSpecs, initialParameters } from '../../models/index.js'
import { renderTrainError, type TrainError } from '../../training/index.js'

/** A decoder so small that the reference evaluator runs it in no time. */
export const config: DecoderConfig = { vocab: 6, embed: 4, layers: 1, heads: 2, headDim: 2, ffn: 4 }
export const parameters = decoderSpecs(config)
export const initial = initialParameters(config, key(1))

export const right = <A>(made: E.Either<TrainError, A>): A => {
  if (E.isLeft(made)) throw new Error(renderTrainError(made.left))
  return made.right
}

/** A device for one test. */
export const onCpu = async (test: (device: Device) => Promise<void>): Promise<void> => {
  const device = openCpu()
  await test(device).finally(() => device.release())
}
