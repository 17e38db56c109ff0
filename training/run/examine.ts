import * as E from 'fp-ts/lib/Either.js'
import type { DecoderSpecs } from '../../models/index.js'
import type { HeldFor } from '../held.js'
import type { Respond } from '../rollout.js'
import { evaluate } from './evaluate.js'
import { begins, death, type Life } from './event.js'
import { type RunPlan, stageEnds } from './plan.js'
import type { Evaluation } from './progress.js'

/** Whether the policy is examined after a step. */
export const isExamined = <S>(plan: RunPlan<S>, step: number): boolean => {
  const { rewardModel: before, reinforcement: all } = stageEnds(plan)
  const { every } = plan.evaluation
  return step === all || (every > 0 && (step - before) % every === 0)
}

/** The policy after a step answers the held-out questions. */
export async function* examine<S>(plan: RunPlan<S>, respond: Respond, policy: HeldFor<DecoderSpecs>, step: number): Life<S, Evaluation> {
  yield begins('answering the held-out questions')
  const { environment = plan.environment, ...settings } = plan.evaluation
  const made = await evaluate(environment, respond)(policy, { ...settings, step })()
  if (E.isLeft(made)) return E.left(death(step)(made.left))
  yield { tag: 'evaluated', evaluation: made.right }
  return made
}
