import { type LifeEvent, type RunPlan, stepsOf } from '../../training/index.js'
import { clock } from './text.js'

type Step = LifeEvent<unknown> & { readonly tag: 'taught' | 'reinforced' }

/** How long a stage will take, from how long it took. */
export interface Pace {
  /** Not known after its first step, which is slower than all others. */
  readonly secondsLeft?: number
  /** To be said once in each stage. */
  readonly news?: string
}

/** After how many steps of a stage something is said of it. */
const firstSteps = 4

const stageName = { taught: 'the warm start', reinforced: 'reinforcement' } as const

/** A watch of each stage's steps. Those of the later half count. */
export const paceOf = (plan: RunPlan<unknown>): ((event: Step) => Pace) => {
  const { warm, all } = stepsOf(plan)
  const seen: { readonly [T in Step['tag']]: number[] } = { taught: [], reinforced: [] }
  return ({ tag, step, seconds }) => {
    const times = seen[tag]
    times.push(seconds)
    if (times.length === 1) return {}
    const newer = times.slice(Math.floor(times.length / 2))
    const mean = newer.reduce((sum, x) => sum + x, 0) / newer.length
    const secondsLeft = mean * ((tag === 'taught' ? warm : all) - step)
    return times.length === firstSteps
      ? { secondsLeft, news: `${stageName[tag]} will take about ${clock(secondsLeft)} minutes more, by its first steps` }
      : { secondsLeft }
  }
}
