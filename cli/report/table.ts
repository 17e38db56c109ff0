import { html, type Html, nothing } from '../html.js'
import { isJsonObject } from '../json-object.js'
import { at, type Line, numberAt, ofStage } from './lines.js'

interface Measured {
  readonly mean: number
  readonly error: number
}

interface Column {
  readonly title: string
  readonly line: Line
}

const ways = ['greedy', 'sampled'] as const

const measured = (line: Line | undefined, path: string): Measured | undefined => {
  const mean = numberAt(line, `${path}.mean`)
  return mean === undefined ? undefined : { mean, error: numberAt(line, `${path}.error`) ?? 0 }
}

/** What the oracle makes of the same questions, which it answers in one way, where the greedy numbers of a policy stand. */
const ofOracle = ({ oracle, sorts, ...line }: Line): Line | undefined => {
  if (!isJsonObject(oracle)) return undefined
  const own = Object.entries(isJsonObject(sorts) ? sorts : {}).map(([sort, numbers]) => [sort, { greedy: at(numbers, 'oracle') }])
  return { ...line, greedy: oracle, sampled: undefined, sorts: Object.fromEntries(own) as unknown }
}

/** Before, after, and what somebody gets who knows the task, each where it was measured. */
export const columnsOf = (lines: readonly Line[]): readonly Column[] => {
  const evaluations = lines.filter(ofStage('evaluation'))
  const [first, last] = [evaluations[0], evaluations.at(-1)]
  const oracle = last && ofOracle(last)
  return [
    ...(first === undefined ? [] : [{ title: first === last ? `after step ${String(numberAt(first, 'step'))}` : 'before', line: first }]),
    ...(last === undefined || last === first ? [] : [{ title: 'after', line: last }]),
    ...(oracle === undefined ? [] : [{ title: 'oracle', line: oracle }]),
  ]
}

const namesIn = (line: Line, way: string): readonly string[] => {
  const numbers = at(line, way)
  return typeof numbers === 'object' && numbers !== null ? Object.keys(numbers) : []
}

/** What is said of each sort of question. */
const sorted = ['reward', 'exact']

const cell = (value: Measured | undefined): Html =>
  value === undefined ? html`<td></td>` : html`<td>${value.mean.toFixed(3)} <small>± ${value.error.toFixed(3)}</small></td>`

/** The difference, in bold where it is more than two standard errors. */
const change = (before: Measured | undefined, after: Measured | undefined): Html => {
  if (before === undefined || after === undefined) return html`<td></td>`
  const [by, error] = [after.mean - before.mean, Math.hypot(before.error, after.error)]
  const text = `${by < 0 ? '−' : '+'}${Math.abs(by).toFixed(3)}`
  return Math.abs(by) > 2 * error ? html`<td><b>${text}</b></td>` : html`<td class="faint">${text}</td>`
}

/** A row of a number: of all questions, or of those of a sort. */
const row = (columns: readonly Column[], name: string, way: string, sort?: string): Html => {
  const path = sort === undefined ? `${way}.${name}` : `sorts.${sort}.${way}.${name}`
  const [before, after] = [measured(columns[0]?.line, path), measured(columns[1]?.line, path)]
  return html`<tr>
    <th>${way === 'greedy' ? `${name}${sort === undefined ? '' : `, ${sort}`}` : ''}</th>
    <th class="faint">${way}</th>
    ${columns.map(({ line }) => cell(measured(line, path)))}${columns.some(({ title }) => title === 'after') ? change(before, after) : nothing}
  </tr>`
}

/** What the policy makes of the held-out questions: a row for each number and way to answer, a column for each time. */
export const evaluationTable = (lines: readonly Line[]): Html => {
  const columns = columnsOf(lines)
  const [first] = columns
  if (first === undefined) return html`<p class="absent">The policy has not been asked the held-out questions yet.</p>`
  const names = [...new Set(ways.flatMap((way) => namesIn(first.line, way)))]
  const sorts = namesIn(first.line, 'sorts')
  const ofSorts = sorts.flatMap((sort) => sorted.filter((name) => names.includes(name)).map((name) => ({ name, sort })))
  return html`<table>
      <thead>
        <tr>
          <th></th>
          <th></th>
          ${columns.map(({ title }) => html`<th>${title}</th>`)}${columns.some(({ title }) => title === 'after') ? html`<th>change</th>` : nothing}
        </tr>
      </thead>
      <tbody>
        ${names.flatMap((name) => ways.map((way) => row(columns, name, way)))}${ofSorts.flatMap(({ name, sort }) => ways.map((way) => row(columns, name, way, sort)))}
      </tbody>
    </table>
    <p>
      ${numberAt(first.line, 'questions') ?? 'Some'} questions that were never trained on, the same each time; mean ± standard error. A
      change of more than two standard errors is bold.
    </p>`
}
