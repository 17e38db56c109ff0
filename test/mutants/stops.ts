import * as E from 'fp-ts/lib/Either.js'
import fc from 'fast-check'
import { rules, sharesOf } from '../../autodiff/index.js'
import { evaluateTensors, float64 } from '../../backends/cpu/evaluate.js'
import {
  type AnyTensor,
  bind,
  build,
  isOfLanguage,
  type Loss,
  lossProgram,
  type Node,
  requirementsOf,
  rewrite,
  type Scalar,
  topological,
} from '../../dsl/index.js'
import { byElement } from '../../verify/compare.js'
import { reachOf } from '../../verify/flow.js'
import { admissibleSizes, checkGradient, gradientFlow, type Reach, type Sample, samples } from '../../verify/index.js'
import { gradients, objectiveOf } from '../../verify/objective.js'
import { right } from '../right.js'
import type { Killing } from './judge.js'
import type { Verifiable } from './losses.js'
import { type Kind, stopped } from './mistake.js'

/** A loss in which somebody forgot to stop a gradient, or stopped one too many. */
export interface LossMutant {
  readonly loss: string
  readonly kind: Kind
  readonly what: string
  readonly wrong: AnyTensor
}

const replaced = (y: AnyTensor, node: Node, by: (x: AnyTensor) => AnyTensor): AnyTensor =>
  rewrite((x, rebuilt) => {
    const made = build.over(x, rebuilt)
    return x.node === node ? by(made) : made
  })([y])[0]!

/** What the loss is made of that its gradient passes, the loss itself left out. */
const passed = (y: AnyTensor): readonly AnyTensor[] => {
  const live = new Set([y.node])
  for (const x of topological([y]).toReversed())
    if (live.has(x.node))
      for (const [operand] of sharesOf(rules.pullbacks, build.filled(1, x), x)) if (operand.dtype === 'f32') live.add(operand.node)
  const reached = new Set(objectiveOf(y).sources.map(({ value }) => value.node))
  return topological([y]).filter((x) => {
    if (sharesOf(rules.pullbacks, build.filled(1, x), x).some(([operand]) => reached.has(operand.node))) reached.add(x.node)
    return reached.has(x.node) && live.has(x.node) && x.node !== y.node
  })
}

const graphOf = ({ loss }: Verifiable): AnyTensor => lossProgram(loss).outputs.loss

export const mutantsOfLoss = (given: Verifiable): readonly LossMutant[] => {
  const y = graphOf(given)
  const stops = topological([y]).flatMap(({ node }) => (node.tag === 'stopGradient' && !isOfLanguage(node.at) ? [node] : []))
  const loss = given.loss.name
  return [
    ...stops.map((node, i): LossMutant => ({
      loss,
      kind: 'unstopped',
      what: `stop ${String(i + 1)} of ${String(stops.length)}`,
      wrong: replaced(y, node, (x) => (x.node.tag === 'stopGradient' ? x.node.x : x)),
    })),
    ...passed(y).map((x, i): LossMutant => ({
      loss,
      kind: 'stopped',
      what: `${x.node.tag === 'map' ? x.node.op : x.node.tag}, ${String(i + 1)} of what a gradient passes`,
      wrong: replaced(y, x.node, stopped),
    })),
  ]
}

const asLoss = ({ loss }: Verifiable, y: AnyTensor): Loss<never> => ({ ...loss, loss: () => y as Scalar })

const reaches = (loss: Loss<never>): Readonly<Record<string, Reach>> =>
  Object.fromEntries(gradientFlow(lossProgram(loss)).flatMap((flow) => (reachOf(flow) === undefined ? [] : [[flow.input, reachOf(flow)!]])))

/** The public verifier, told which inputs the gradient is to reach. */
const byFlow = (given: Verifiable, { wrong }: LossMutant): Killing | undefined => {
  const { failure } = checkGradient(asLoss(given, wrong), { ...given.options, runs: 1, gradients: reaches(given.loss) })
  return failure?.tag === 'flowDiffers' ? { by: 'verifier', because: failure.tag, after: 1 } : undefined
}

/** The gradient of the wrong loss beside differences of the right one. */
const byIntent = (given: Verifiable, { wrong }: LossMutant, drawn: readonly Sample[]): Killing | undefined => {
  const program = lossProgram(given.loss)
  const requirements = requirementsOf(program)
  const objective = objectiveOf(program.outputs.loss)
  const gradient = gradients({ ...objective, y: lossProgram(asLoss(given, wrong)).outputs.loss })
  for (const [i, { values }] of drawn.entries()) {
    const bound = right(
      bind(
        requirements,
        [...values].map(([path, value]) => ({ path, value })),
      ),
    )
    const base = evaluateTensors([objective.y, ...gradient, ...objective.sources.map(({ value }) => value)], bound, float64)
    for (const [k, { value }] of objective.sources.entries()) {
      const compare = byElement(objective, value, gradient[k]!, bound, base)
      if (base.get(value.node)!.data.some((_, place) => compare(place).tag === 'differs'))
        return { by: 'laws', because: 'differs from the loss that was meant', after: i + 1 }
    }
  }
  return undefined
}

export const judgedByIntent = (given: Verifiable, mutant: LossMutant, seed: number, most: number): Killing | undefined => {
  const found = byFlow(given, mutant)
  if (found !== undefined) return found
  const requirements = requirementsOf(lossProgram(given.loss))
  const fit = admissibleSizes(requirements, given.options.sizes ?? {})
  if (E.isLeft(fit)) return undefined
  return byIntent(given, mutant, fc.sample(samples(requirements, fit.right, given.options.ranges ?? {}), { numRuns: most - 1, seed }))
}
