import { type Band, chartOf, type Mark, type Point } from './chart.js'
import { colors, inOrder } from './colors.js'
import { html, type Html, nothing } from '../html.js'
import { type Line, numberAt, numbersAt, ofStage } from './lines.js'
import { type Panel, panels, type PanelStage, type Series } from './panels.js'
import { short } from './short.js'

/** More points than this are drawn as means of their neighbours: no more are seen. */
const mostPoints = 160

const stepOf = (line: Line): number => numberAt(line, 'step') ?? 0

const mean = (xs: readonly number[]): number | undefined => (xs.length === 0 ? undefined : xs.reduce((sum, x) => sum + x, 0) / xs.length)

/** Neighbouring lines together, so that no more than `mostPoints` remain. */
const bundles = (lines: readonly Line[]): readonly (readonly Line[])[] => {
  const size = Math.max(1, Math.ceil(lines.length / mostPoints))
  return Array.from({ length: Math.ceil(lines.length / size) }, (_, i) => lines.slice(i * size, (i + 1) * size))
}

const meanAt = (bundle: readonly Line[], path: string): number | undefined => mean(bundle.flatMap((line) => numberAt(line, path) ?? []))

const pointsOf = (lines: readonly Line[], path: string): readonly Point[] =>
  bundles(lines).map((bundle) => ({ step: stepOf(bundle.at(-1) ?? {}), value: meanAt(bundle, path) }))

const isThere = ({ points }: Drawn): boolean => points.some(({ value }) => value !== undefined)

interface Drawn {
  readonly name: string
  readonly color: string
  readonly points: readonly Point[]
}

const seriesOf = ({ series }: Panel, lines: readonly Line[]): readonly Series[] => {
  if (!('each' in series)) return series
  const names = [...new Set(lines.flatMap((line) => Object.keys(numbersAt(line, series.each))))]
  return names.map((name) => ({ name, path: `${series.each}.${name}` }))
}

const valuesOf = ({ points }: Drawn): readonly number[] => points.flatMap(({ value }) => value ?? [])

const isConstant = (drawn: Drawn): boolean => new Set(valuesOf(drawn)).size === 1

const isZero = (drawn: Drawn): boolean => valuesOf(drawn).every((value) => value === 0)

/** The lines of a panel. One that is 0 all along is left out where there are others. */
const drawnOf = (panel: Panel, lines: readonly Line[]): readonly Drawn[] => {
  const all = everyLine(panel, lines)
  const moving = all.filter((drawn) => !isZero(drawn))
  return moving.length === 0 ? all : moving
}

const everyLine = (panel: Panel, lines: readonly Line[]): readonly Drawn[] =>
  seriesOf(panel, lines)
    .map(({ name, path, color }, i) => ({
      name,
      color: color ?? inOrder[i % inOrder.length] ?? colors.blue,
      points: pointsOf(lines, path),
    }))
    .filter(isThere)

const bandOf = ({ series, band }: Panel, lines: readonly Line[]): Band | undefined => {
  const centre = 'each' in series ? undefined : series[0]?.path
  if (band === undefined || centre === undefined) return undefined
  const edges = bundles(lines).flatMap((bundle) => {
    const [step, middle] = [stepOf(bundle.at(-1) ?? {}), meanAt(bundle, centre)]
    const spread = 'spread' in band ? meanAt(bundle, band.spread) : 0
    const low = 'spread' in band ? middle : meanAt(bundle, band.low)
    const high = 'spread' in band ? middle : meanAt(bundle, band.high)
    return low === undefined || high === undefined || spread === undefined ? [] : [{ step, low: low - spread, high: high + spread }]
  })
  return { color: colors.blue, edges }
}

const marksOf = ({ heldOut }: Panel, evaluations: readonly Line[]): readonly Mark[] =>
  heldOut === undefined
    ? []
    : evaluations.flatMap((line) => {
        const value = numberAt(line, `greedy.${heldOut}.mean`)
        return value === undefined
          ? []
          : [{ color: colors.red, step: stepOf(line), value, error: numberAt(line, `greedy.${heldOut}.error`) ?? 0 }]
      })

const last = (points: readonly Point[]): string => {
  const value = points.findLast((point) => point.value !== undefined)?.value
  return value === undefined ? '' : short(value)
}

const legend = (drawn: readonly Drawn[]): Html =>
  html`<span class="legend"
    >${drawn.map(
      ({ name, color, points }) =>
        html`<span><i style="background:${color}"></i>${drawn.length > 1 ? `${name} ` : ''}<b>${last(points)}</b></span>`,
    )}</span
  >`

const figure = (panel: Panel, drawn: readonly Drawn[], lines: readonly Line[], evaluations: readonly Line[]): Html => {
  if (drawn.length === 0) return nothing
  const { title, unit, says, fromZero = false } = panel
  return html`<figure>
    <figcaption>
      <h3>${title}${unit === '' ? '' : html` <small>${unit}</small>`}</h3>
      ${legend(drawn)}
    </figcaption>
    ${chartOf({ label: `${title} by step`, lines: drawn, band: bandOf(panel, lines), marks: marksOf(panel, evaluations), fromZero })}
    <p>${says}</p>
  </figure>`
}

const constant = (panel: Panel, drawn: readonly Drawn[]): readonly string[] =>
  drawn.map((one) => `${panel.title.toLowerCase()}${drawn.length > 1 ? ` (${one.name})` : ''} ${last(one.points)}`)

/** The panels of a stage that have something to show; what never changes is said in a line. */
export const figuresOf = (stage: PanelStage, lines: readonly Line[]): Html => {
  const own = lines.filter(ofStage(stage))
  const evaluations = lines.filter(ofStage('evaluation'))
  const all = panels.filter((panel) => panel.stage === stage).map((panel) => ({ panel, drawn: drawnOf(panel, own) }))
  const isStill = ({ panel, drawn }: (typeof all)[number]): boolean =>
    own.length > 1 && panel.band === undefined && panel.heldOut === undefined && drawn.every(isConstant)
  const still = all.filter(isStill).flatMap(({ panel, drawn }) => constant(panel, drawn))
  const moving = all.filter((one) => !isStill(one)).map(({ panel, drawn }) => figure(panel, drawn, own, evaluations))
  if (own.length === 0) return nothing
  return html`<div class="figures">${moving}</div>
    ${still.length === 0 ? nothing : html`<p class="absent">The same at each step: ${still.join(', ')}.</p>`}`
}
