import * as Plot from '@observablehq/plot'
import { DOMParser } from 'linkedom'
import { drawn, type Html } from '../html.js'
import { short } from './short.js'

/** A number at a step; where it is undefined the line has a gap. */
export interface Point {
  readonly step: number
  readonly value: number | undefined
}

export interface Line {
  readonly color: string
  readonly points: readonly Point[]
}

export interface Band {
  readonly color: string
  readonly edges: readonly { readonly step: number; readonly low: number; readonly high: number }[]
}

/** A mean and how far off it may be. */
export interface Mark {
  readonly color: string
  readonly step: number
  readonly value: number
  readonly error: number
}

export interface Chart {
  readonly label: string
  readonly lines: readonly Line[]
  readonly band?: Band | undefined
  readonly marks?: readonly Mark[]
  /** Whether 0 belongs to the picture whatever the numbers. */
  readonly fromZero?: boolean
}

/** Where the plotting library puts its elements: it needs a document, and no browser. */
const page = (): object => new DOMParser().parseFromString('<html></html>', 'text/html')

const svgOf = (options: object): Html =>
  drawn((Plot.plot({ document: page(), ...options }) as unknown as { readonly outerHTML: string }).outerHTML)

const linesOf = (lines: readonly Line[]): readonly Plot.Markish[] =>
  lines.flatMap(({ color, points }) => [
    Plot.lineY(points, { x: 'step', y: 'value', stroke: color, strokeWidth: 1.5 }),
    // A line of one point is not seen.
    ...(points.length === 1 ? [Plot.dot(points, { x: 'step', y: 'value', fill: color, r: 2.5 })] : []),
  ])

const marksOf = (marks: readonly Mark[]): readonly Plot.Markish[] => [
  Plot.ruleX(marks, { x: 'step', y1: (m: Mark) => m.value - m.error, y2: (m: Mark) => m.value + m.error, stroke: 'color' }),
  Plot.dot(marks, { x: 'step', y: 'value', stroke: 'color', fill: 'white', r: 3.5, strokeWidth: 1.5 }),
]

/** A small chart of numbers by step. */
export const chartOf = ({ label, lines, band, marks = [], fromZero = false }: Chart): Html =>
  svgOf({
    ...{ width: 340, height: 150, marginLeft: 44, marginRight: 10, marginTop: 10, marginBottom: 24 },
    ariaLabel: label,
    x: { label: null, ticks: 5, tickSize: 3, tickFormat: 'd' },
    y: { label: null, ticks: 4, tickSize: 0, grid: true, nice: true, tickFormat: short },
    color: { type: 'identity' },
    marks: [
      ...(fromZero ? [Plot.ruleY([0], { stroke: 'currentColor', strokeOpacity: 0.25 })] : []),
      ...(band ? [Plot.areaY(band.edges, { x: 'step', y1: 'low', y2: 'high', fill: band.color, fillOpacity: 0.15 })] : []),
      ...linesOf(lines),
      ...marksOf(marks),
    ],
  })

export interface Share {
  readonly name: string
  readonly color: string
  readonly value: number
}

/** Shares of a whole, side by side. */
export const barOf = (label: string, shares: readonly Share[]): Html =>
  svgOf({
    ...{ width: 720, height: 34, margin: 0 },
    ariaLabel: label,
    x: { axis: null },
    y: { axis: null },
    color: { type: 'identity' },
    marks: [Plot.barX(shares, Plot.stackX({ x: 'value', fill: 'color', insetRight: 1 }))],
  })
