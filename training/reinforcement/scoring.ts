import { chunksOf } from 'fp-ts/lib/ReadonlyArray.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Device } from '../../backends/backend.js'
import { i32, type Program, program, type Spec, type SpecTree, type TensorsOf, type Tensor, tokenLogProbs } from '../../dsl/index.js'
import {
  type DecoderConfig,
  decoderSpecs,
  type DecoderSpecs,
  judgeSpecs,
  type JudgeSpecs,
  logits,
  positionValues,
} from '../../models/index.js'
import type { TrainError } from '../errors.js'
import type { HeldFor } from '../held.js'
import { given, load, type LoadedProgram, run } from '../load.js'
import { atAnswers, type Columns } from './estimates.js'
import type { PackedSequence } from '../packed.js'
import { nextTokens } from '../sequences.js'

type Tokens = Tensor<'batch' | 'time', 'i32'>

/** A net that reads sequences: with what specs, and what it says of each place. */
export interface Reader<S> {
  readonly name: string
  readonly specs: S
  readonly read: (params: TensorsOf<S>, tokens: Tokens, targets: Tokens) => Tensor<'batch' | 'time'>
}

/** log π of each target, at temperature 1. */
export const likelihoods = (config: DecoderConfig): Reader<DecoderSpecs> => ({
  name: 'scoring',
  specs: decoderSpecs(config),
  read: (params, tokens, targets) => pipe(logits(config)(params, tokens), tokenLogProbs('vocab')(targets)),
})

/** The value before each target. */
export const valuesBefore = (config: DecoderConfig): Reader<JudgeSpecs> => ({
  name: 'critic',
  specs: judgeSpecs(config),
  read: (params, tokens) => positionValues(config)(params, tokens),
})

/** A number for each token of the answers of some sequences, by a net that a device holds. No gradient. */
export type Score<S> = (
  params: HeldFor<S>,
  sequences: readonly Pick<PackedSequence, 'prompt' | 'answer' | 'answerMask'>[],
) => TE.TaskEither<TrainError, Columns>

interface ScoreInputs<S> {
  readonly params: S
  readonly tokens: Spec<'batch' | 'time', 'i32'>
  readonly targets: Spec<'batch' | 'time', 'i32'>
}

type ScoreProgram<S> = Program<ScoreInputs<S>, Readonly<Record<never, never>>, { readonly y: Tensor<'batch' | 'time'> }>

interface Read<P> {
  readonly params: P
  readonly tokens: Tokens
  readonly targets: Tokens
}

const reading =
  <P>(read: (params: P, tokens: Tokens, targets: Tokens) => Tensor<'batch' | 'time'>) =>
  ({ params, tokens, targets }: Read<P>) => ({ outputs: { y: read(params, tokens, targets) } })

const scoreProgram = <S extends SpecTree>({ specs, read }: Reader<S>): ScoreProgram<S> =>
  program({ inputs: { params: specs, tokens: i32('batch', 'time'), targets: i32('batch', 'time') }, body: reading(read) })

const scoreOf =
  <S>(name: string, loaded: LoadedProgram<ScoreProgram<S>>, padId: number, most: number): Score<S> =>
  (params, sequences) =>
    pipe(
      chunksOf(most)(sequences),
      TE.traverseSeqArray((part) => {
        const { tokens, targets } = nextTokens(part, padId)
        return pipe(
          run(name, loaded, given<ScoreInputs<S>>({ params, tokens, targets })),
          TE.map(({ y }) => atAnswers(y, part)),
        )
      }),
      TE.map((made) => made.flat()),
    )

/** Make a reader ready on a device, for at most so many sequences at once. */
export const loadScore =
  (device: Device, padId: number, most: number) =>
  <S extends SpecTree>(reader: Reader<S>): TE.TaskEither<TrainError, Score<S>> =>
    pipe(
      load(device)(reader.name, () => scoreProgram(reader)),
      TE.map((loaded) => scoreOf<S>(reader.name, loaded, padId, most)),
    )
