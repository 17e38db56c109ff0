import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Device } from '../../backends/backend.js'
import { evaluate } from '../../backends/cpu/evaluate.js'
import { openCpu } from '../../backends/cpu/index.js'
import { i32, program, random, type Value } from '../../dsl/index.js'
import { type DecoderConfig, decoderSpecs, initialParameters, nextLogits } from '../../models/index.js'
import { type Policy, renderTrainError, type TrainError } from '../../training/index.js'
import { right as orThrow } from '../right.js'

/** A decoder so small that the reference evaluator runs it in no time. */
export const config: DecoderConfig = { vocab: 6, embed: 4, layers: 1, heads: 2, headDim: 2, ffn: 4 }
export const parameters = decoderSpecs(config)
export const initial = initialParameters(config, random.key(1))

export const right = <A>(made: E.Either<TrainError, A>): A => orThrow(made, renderTrainError)

/** A device for one test. */
export const onCpu = async (test: (device: Device) => Promise<void>): Promise<void> => {
  const device = openCpu()
  await test(device).finally(() => device.release())
}

const forward = program({
  inputs: { params: parameters, tokens: i32('batch', 'time') },
  body: (given) => ({ outputs: { next: nextLogits(config)(given.params, given.tokens) } }),
})

/** The policy on the reference evaluator, which says what it was asked. */
export const onOracle =
  (asked: Value[] = []): Policy =>
  (tokens) => {
    asked.push(tokens)
    return pipe(
      evaluate(forward, { params: initial, tokens }),
      E.bimap(
        (errors) => ({ tag: 'notPlanned', program: 'oracle', errors: errors as never }) as const,
        ({ outputs }) => outputs.next,
      ),
      TE.fromEither,
    )
  }
