import { type RunPlan, stageEnds, type StepEvent } from '../../training/index.js'
import { clock } from './clock.js'

type Step = StepEvent<unknown>

/** How long a stage will take, from how long it took. */
export interface Pace {
  /** Not known after its first step, which is slower than all others. */
  readonly secondsLeft?: number
  /** To be said once in each stage. */
  readonly news?: string
}

/** After how many steps of a stage something is said of it. */
const firstSteps = 4

/** What the steps are of, and for people. */
export const stagesByStep = {
  taught: { stage: 'supervised', name: 'the warm start' },
  compared: { stage: 'rewardModel', name: 'the reward model' },
  reinforced: { stage: 'reinforcement', name: 'reinforcement' },
} as const

/** A watch of each stage's steps. Those of the later half count. */
export const paceOf = (plan: RunPlan<unknown>): ((event: Step) => Pace) => {
  const ends = stageEnds(plan)
  const seen: { readonly [T in Step['tag']]: number[] } = { taught: [], compared: [], reinforced: [] }
  return ({ tag, step, seconds }) => {
    const times = seen[tag]
    times.push(seconds)
    if (times.length === 1) return {}
    const newer = times.slice(Math.floor(times.length / 2))
    const mean = newer.reduce((sum, x) => sum + x, 0) / newer.length
    const { stage, name } = stagesByStep[tag]
    const secondsLeft = mean * (ends[stage] - step)
    return times.length === firstSteps
      ? { secondsLeft, news: `${name} will take about ${clock(secondsLeft)} minutes more, by its first steps` }
      : { secondsLeft }
  }
}
