import { sum } from '../metrics/statistics.js'
import type { LifeEvent, StepEvent } from './event.js'

/** JSON without numbers that it has no word for: those are written as text. */
export const asJson = (value: unknown): string =>
  JSON.stringify(value, (_, x: unknown) => {
    if (ArrayBuffer.isView(x)) return Array.from(x as unknown as ArrayLike<number>)
    return typeof x === 'number' && !Number.isFinite(x) ? String(x) : x
  })

/** What is written of an event, by file: numbers, and times apart from them, since the same run takes another time. */
export type Lines = Readonly<Partial<Record<'metrics.jsonl' | 'timing.jsonl', unknown>>>

type Step<T extends StepEvent<unknown>['tag']> = StepEvent<unknown> & { readonly tag: T }

const ofLesson = ({ step, seconds, report }: Step<'taught'>): Lines => {
  const { step: updates, about, metrics, ...numbers } = report
  return {
    'metrics.jsonl': { step, stage: 'supervised', updates, ...numbers, ...about, ...metrics },
    'timing.jsonl': { step, stage: 'supervised', seconds, tokensPerSecond: about.tokens / seconds },
  }
}

const ofComparison = ({ step, seconds, report }: Step<'compared'>): Lines => {
  const { step: updates, about, metrics, ...numbers } = report ?? { about: { pairs: 0 } }
  return {
    'metrics.jsonl': { step, stage: 'rewardModel', ...(updates !== undefined && { updates }), ...numbers, ...about, ...metrics },
    'timing.jsonl': { step, stage: 'rewardModel', seconds },
  }
}

const ofReinforcement = ({ step, seconds, metrics, report }: Step<'reinforced'>): Lines => {
  const trained = sum(report.updates.map(({ about }) => about.tokens))
  return {
    'metrics.jsonl': { ...metrics, step, stage: 'reinforcement' },
    'timing.jsonl': {
      ...{ step, stage: 'reinforcement', seconds, ...report.seconds },
      tokensPerSecond: metrics.written.total / report.seconds.rollout,
      trainedTokensPerSecond: trained / report.seconds.update,
    },
  }
}

export const linesOf = (event: LifeEvent<unknown>): Lines => {
  switch (event.tag) {
    case 'begins':
    case 'rests':
      return {}
    case 'evaluated': {
      const { step, ...evaluation } = event.evaluation
      return { 'metrics.jsonl': { step, stage: 'evaluation', ...evaluation } }
    }
    case 'taught':
      return ofLesson(event)
    case 'compared':
      return ofComparison(event)
    case 'reinforced':
      return ofReinforcement(event)
  }
}
