import type * as E from 'fp-ts/lib/Either.js'
import {
  type Evaluation,
  renderWarning,
  type RunEnd,
  type RunEvent,
  type RunFault,
  type RunPlan,
  type StepEvent,
  type StepMetrics,
  type Warning,
  warningsOf,
} from '../../training/index.js'
import { paceOf } from './pace.js'
import type { Show } from './show.js'
import { evaluationText, stepText } from './text.js'

/** Each kind of warning once. */
const warningsOnce = (): ((metrics: StepMetrics) => readonly Warning[]) => {
  const said = new Set<string>()
  return (metrics) => {
    const news = warningsOf()(metrics).filter(({ tag }) => !said.has(tag))
    for (const { tag } of news) said.add(tag)
    return news
  }
}

/** What is shown of each step. */
const stepsOn = (show: Show, plan: RunPlan<unknown>): ((event: StepEvent<unknown>) => void) => {
  const pace = paceOf(plan)
  const newWarnings = warningsOnce()
  return (event) => {
    const { secondsLeft, news } = pace(event)
    show.now(stepText(plan, event, secondsLeft))
    if (news !== undefined) show.line(news)
    if (event.tag !== 'reinforced') return
    for (const warning of newWarnings(event.metrics)) show.line(`warning: ${renderWarning(warning)}`)
  }
}

/** What is shown of everything that happens. */
const tellerOn = (show: Show, plan: RunPlan<unknown>): ((event: RunEvent<unknown>) => void) => {
  const step = stepsOn(show, plan)
  return (event) => {
    switch (event.tag) {
      case 'begins':
        show.begin(event.what)
        break
      case 'taught':
      case 'compared':
      case 'reinforced':
        step(event)
        break
      case 'evaluated':
        show.line(evaluationText(event.evaluation))
        break
      case 'saved':
        show.line(`saved checkpoint ${event.checkpoint}`)
        break
      case 'rests':
    }
  }
}

/** How a run ended, and what was measured on the way. */
export interface Told {
  readonly end: E.Either<RunFault, RunEnd>
  readonly evaluations: readonly Evaluation[]
}

/** Follow a run to its end, and tell of it. */
export const tell = async (
  plan: RunPlan<unknown>,
  show: Show,
  events: AsyncGenerator<RunEvent<unknown>, E.Either<RunFault, RunEnd>>,
  before: readonly Evaluation[],
): Promise<Told> => {
  const say = tellerOn(show, plan)
  let evaluations = before
  for (;;) {
    const next = await events.next()
    if (next.done === true) return { end: next.value, evaluations }
    say(next.value)
    if (next.value.tag === 'evaluated') evaluations = [...evaluations, next.value.evaluation]
  }
}
