import { html, type Html, nothing } from '../html.js'
import { type Line, numberAt, ofStage } from './lines.js'
import { columnsOf } from './table.js'

const share = (x: number): string => x.toFixed(3)

/** What a number was and became, greedily, on the held-out questions. */
const moved = (first: Line, last: Line, name: string): Html => {
  const [before, after] = [first, last].map((line) => numberAt(line, `greedy.${name}.mean`))
  if (before === undefined || after === undefined) return nothing
  return html`<div>
    <b>${first === last ? share(after) : `${share(before)} → ${share(after)}`}</b><small>held-out ${name}, greedy</small>
  </div>`
}

const counted = (lines: readonly Line[], stage: string, what: string): Html => {
  const count = lines.filter(ofStage(stage)).length
  return count === 0 ? nothing : html`<div><b>${count}</b><small>${what}</small></div>`
}

/** A run in a few numbers. */
export const headlineOf = (lines: readonly Line[]): Html => {
  const columns = columnsOf(lines).filter(({ title }) => title !== 'oracle')
  const [first, last] = [columns[0]?.line, columns.at(-1)?.line]
  return html`<div class="headline">
    ${first !== undefined && last !== undefined ? ['reward', 'exact'].map((name) => moved(first, last, name)) : []}
    ${counted(lines, 'reinforcement', 'steps of reinforcement')}${counted(lines, 'rewardModel', 'steps of the reward model')}${counted(lines, 'supervised', 'steps of warm start')}
  </div>`
}
