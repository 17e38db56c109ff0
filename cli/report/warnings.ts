import { z } from 'zod'
import { renderWarning, type StepMetrics, warningsOf } from '../../training/index.js'
import { html, type Html } from '../html.js'
import { type Line, ofStage } from './lines.js'

/** What is no number is left out: a run writes ∞ as text. */
const numbers = z.record(z.string(), z.number().optional().catch(undefined))

/** As much of a line as warnings are read from. */
const watched = z.looseObject({
  step: z.number(),
  groups: z.looseObject({ count: z.number(), withoutVariance: z.number() }),
  rewardParts: numbers,
  update: z.looseObject({ numbers }),
  memory: z.looseObject({ reader: z.number().optional() }).optional(),
})

/** Each kind of warning at the first step that gave it, and how many steps did. */
export const warningsIn = (lines: readonly Line[]): Html => {
  const steps = lines.filter(ofStage('reinforcement')).flatMap((line) => watched.safeParse(line).data ?? [])
  const warnings = steps.flatMap((metrics) => warningsOf()(metrics as unknown as StepMetrics))
  const first = [...new Map(warnings.toReversed().map((warning) => [warning.tag, warning])).values()].toReversed()
  if (first.length === 0) return html`<p class="absent">None.</p>`
  return html`<ul class="warnings">
    ${first.map(
      (warning) =>
        html`<li>
          <pre>${renderWarning(warning)}</pre>
          <small>at ${warnings.filter(({ tag }) => tag === warning.tag).length} of ${steps.length} steps</small>
        </li>`,
    )}
  </ul>`
}
