import type * as E from 'fp-ts/lib/Either.js'
import type { Device } from '../../backends/backend.js'
import { type CpuOptions, openCpu } from '../../backends/cpu/index.js'
import { random } from '../../dsl/index.js'
import { type DecoderConfig, decoderSpecs, initialParameters } from '../../models/index.js'
import { renderTrainError, type TrainError } from '../../training/index.js'
import { right as orThrow } from '../right.js'

/** A decoder so small that the reference evaluator runs it in no time. */
export const config: DecoderConfig = { vocab: 6, embed: 4, layers: 1, heads: 2, headDim: 2, ffn: 4 }
export const parameters = decoderSpecs(config)

const drawn = initialParameters(config, random.key(1))
const { sizes, data } = drawn.embedding
/** With a small embedding, so that no token is much likelier than another. */
export const initial: typeof drawn = { ...drawn, embedding: { sizes, data: Float32Array.from(data, (x) => 0.3 * x) } }

export const right = <A>(made: E.Either<TrainError, A>): A => orThrow(made, renderTrainError)

/** A device for one test. */
export const onCpu = async <A>(test: (device: Device) => Promise<A>, options: CpuOptions = {}): Promise<A> => {
  const device = openCpu(options)
  return test(device).finally(() => device.release())
}
