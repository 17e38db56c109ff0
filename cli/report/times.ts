import { barOf, type Share } from './chart.js'
import { inOrder } from './colors.js'
import { html, type Html } from '../html.js'
import { type Line, numberAt, ofStage } from './lines.js'

const total = (lines: readonly Line[], path: string): number => lines.reduce((sum, line) => sum + (numberAt(line, path) ?? 0), 0)

/** What the seconds of a run went into: those of each stage, and of each part of the steps that reinforce. */
const sharesOf = (lines: readonly Line[]): readonly Share[] => {
  const secondsOf = (stage: string): number => total(lines.filter(ofStage(stage)), 'seconds')
  const steps = lines.filter(ofStage('reinforcement'))
  const parts = ['rollout', 'prepare', 'update'].map((part) => total(steps, part))
  const other = secondsOf('reinforcement') - parts.reduce((sum, x) => sum + x, 0)
  const named = {
    'warm start': secondsOf('supervised'),
    'reward model': secondsOf('rewardModel'),
    ...{
      'rollout: answers are drawn': parts[0],
      'prepare: they are scored and compared': parts[1],
      'update: gradients and AdamW': parts[2],
    },
    other,
  }
  return Object.entries(named)
    .map(([name, value = 0], i) => ({ name, value, color: inOrder[i % inOrder.length] ?? '' }))
    .filter(({ value }) => value > 0)
}

const clock = (seconds: number): string =>
  seconds < 60 ? `${seconds.toFixed(1)} s` : `${String(Math.floor(seconds / 60))} min ${String(Math.round(seconds % 60))} s`

/** Where the time went, by timing.jsonl. */
export const timesOf = (lines: readonly Line[]): Html => {
  const shares = sharesOf(lines)
  const all = shares.reduce((sum, { value }) => sum + value, 0)
  if (all === 0) return html`<p class="absent">No step has been timed.</p>`
  return html`${barOf('where the time went', shares)}
    <ul class="shares">
      ${shares.map(
        ({ name, color, value }) =>
          html`<li>
            <i style="background:${color}"></i>${name} <b>${clock(value)}</b> <small>${((100 * value) / all).toFixed(0)} %</small>
          </li>`,
      )}
    </ul>
    <p>${clock(all)} in ${lines.length} steps. Compiling, the held-out questions and checkpoints are not in it.</p>`
}
