import { pipe } from 'fp-ts/lib/function.js'
import {
  aggregate,
  approximateKl,
  type ClipRange,
  clipMetrics,
  klEstimates,
  ofStep,
  policyRatio,
  ratioExtremes,
  responseOnly,
  type StepCounts,
  type SurrogateBatch,
  tokenMean,
  type Tokens,
  valueLoss,
} from '../../algorithms/index.js'
import { bool, entropy, i32, type Scalar, type Tensor, tokenLogProbs, where } from '../../dsl/index.js'
import { type DecoderConfig, logits, positionValues } from '../../models/index.js'
import type { Nets, NetSpecs } from '../nets.js'
import type { Learning, Objective, Scalars } from '../step-program.js'
import { type BatchSpecs, type Field, fieldSpecs, fieldsOf, type Inputs, isOfPairs, stepSpecs } from './fields.js'
import type { Recipe } from './recipes.js'

type Tensors = Readonly<Record<string, Tensor<Tokens>>>

/** What the nets say of a batch, by the field that it is. */
const computed: Partial<Record<Field, (config: DecoderConfig) => (nets: Nets, batch: Ids) => Tensor<Tokens> | undefined>> = {
  logProbs:
    (config) =>
    (nets, { tokens, targets }) =>
      pipe(logits(config)(nets.policy, tokens), tokenLogProbs('vocab')(targets)),
  entropies:
    (config) =>
    (nets, { tokens }) =>
      pipe(logits(config)(nets.policy, tokens), entropy('vocab')),
  values:
    (config) =>
    (nets, { tokens }) =>
      nets.critic && positionValues(config)(nets.critic, tokens),
}

interface Ids {
  readonly tokens: Tensor<Tokens, 'i32'>
  readonly targets: Tensor<Tokens, 'i32'>
  readonly responseMask: Tensor<Tokens, 'bool'>
  /** Which tokens write a memory. */
  readonly memoryMask: Tensor<Tokens, 'bool'>
}

const isComputed = (field: string): boolean => field in computed

const rowSpecs = (fields: Inputs): Inputs => ({
  tokens: i32('batch', 'time'),
  targets: i32('batch', 'time'),
  ...Object.fromEntries(Object.entries(fields).filter(([field]) => !isComputed(field) && field !== 'step')),
  responseMask: fieldSpecs.responseMask[0],
})

/** What a step by a loss is given: the ids, the fields that are not computed from them, and what the whole step counts. */
export const batchSpecs = (inputs: Inputs): BatchSpecs => {
  const rows = rowSpecs(fieldsOf(inputs))
  const watched = { oldLogProbs: fieldSpecs.oldLogProbs[0], advantages: fieldSpecs.advantages[0], memoryMask: bool('batch', 'time') }
  const specs = isOfPairs(inputs) ? { chosen: rows, rejected: rows } : { ...watched, ...rows }
  return { ...specs, step: stepSpecs } as unknown as BatchSpecs
}

const withComputed =
  (config: DecoderConfig, fields: readonly string[]) =>
  (nets: Nets, batch: Ids): Tensors => {
    const made = Object.entries(computed).map(
      ([field, of]) => [field, fields.includes(field) ? of(config)(nets, batch) : undefined] as const,
    )
    return { ...batch, ...Object.fromEntries(made.filter(([, value]) => value !== undefined)) } as unknown as Tensors
  }

interface Given extends Ids {
  readonly step: StepCounts
  readonly chosen: Ids
  readonly rejected: Ids
}

/** Numbers to watch a policy by. Each is a mean over the tokens of the whole step, but for extremes: `memoryEntropy` has 0 at those that write no memory. */
const watched =
  (config: DecoderConfig, clip: ClipRange, names: readonly string[]) =>
  (nets: Nets, { step, ...batch }: Given): Scalars => {
    const given = withComputed(config, ['logProbs', 'entropies', ...names])(nets, batch)
    const tokens = given as unknown as SurrogateBatch<Tokens>
    const aggregation = ofStep(step)(tokenMean)
    const mean = (x: Tensor<Tokens>): Scalar => pipe(x, aggregate(aggregation)(batch.responseMask))
    const { least, greatest } = ratioExtremes()(tokens)
    const { refLogProbs, values, oldValues, returns } = given
    const entered = responseOnly(batch.responseMask)
    return {
      entropy: mean(given['entropies']!),
      memoryEntropy: mean(pipe(given['entropies']!, where(batch.memoryMask))),
      ratioMean: mean(policyRatio(tokens)),
      ratioLeast: least,
      ratioGreatest: greatest,
      ...clipMetrics({ clip, aggregation })(tokens),
      ...(refLogProbs && { refKl: mean(klEstimates.k3(entered(tokens.logProbs), entered(refLogProbs))) }),
      ...(values && oldValues && returns
        ? { valueLoss: pipe({ values, oldValues, returns, responseMask: batch.responseMask }, valueLoss({ clip: Infinity, aggregation })) }
        : {}),
    }
  }

/** What is watched of the loss alone. */
const ownOf =
  (recipe: Recipe, read: ReturnType<typeof withComputed>) =>
  (nets: Nets, { step, ...batch }: Given): Scalars =>
    recipe.watched?.({ ...read(nets, batch), step } as never, step) ?? {}

const ofResponses = (config: DecoderConfig, recipe: Recipe, clip: ClipRange): Objective<Nets, Given> => {
  const names = Object.keys(recipe.inputs)
  const read = withComputed(config, names)
  return {
    loss: (nets, { step, ...batch }) => recipe.loss({ ...read(nets, batch), step } as never, step),
    metrics: (nets, given) => ({ ...watched(config, clip, names)(nets, given), ...ownOf(recipe, read)(nets, given) }),
    drift: (nets, { step, ...batch }) =>
      approximateKl(ofStep(step)(tokenMean))(withComputed(config, ['logProbs'])(nets, batch) as unknown as SurrogateBatch<Tokens>),
  }
}

const ofPairs = (config: DecoderConfig, recipe: Recipe): Objective<Nets, Given> => {
  const read = withComputed(config, Object.keys(fieldsOf(recipe.inputs)))
  return {
    loss: (nets, { chosen, rejected, step }) =>
      recipe.loss({ chosen: read(nets, chosen), rejected: read(nets, rejected), step } as never, step),
    metrics: (nets, { chosen, rejected, step }) =>
      recipe.watched?.({ chosen: read(nets, chosen), rejected: read(nets, rejected), step } as never, step) ?? {},
  }
}

/** What is learnt of the nets from steps' rows. */
export type PolicyLearning = Learning<NetSpecs, BatchSpecs>

/** What a policy learns by a loss, with a critic where the loss reads its values. */
export const learningOf = (config: DecoderConfig, parameters: NetSpecs, recipe: Recipe, clip: ClipRange): PolicyLearning => {
  const objective = isOfPairs(recipe.inputs) ? ofPairs(config, recipe) : ofResponses(config, recipe, clip)
  return { name: recipe.name, parameters, batch: batchSpecs(recipe.inputs), ...objective } as unknown as PolicyLearning
}
