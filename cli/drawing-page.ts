import { drawn, html } from './html.js'

/** One reading of a program as text. */
export interface Reading {
  readonly title: string
  /** What it shows. */
  readonly shows: string
  readonly text: string
}

const style = `
body { margin: 0; color: #1f2430; font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif }
main { max-width: 1180px; margin: 0 auto; padding: 40px 28px 80px }
h1 { font-size: 24px; font-weight: 650; margin: 0 0 20px }
svg { max-width: 100%; height: auto }
details { border-top: 1px solid #e5e7eb; padding: 8px 0 } summary { cursor: pointer; font-weight: 600 }
small { color: #6b7280; font-weight: 400; margin-left: 8px }
pre { font: 12.5px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; overflow-x: auto }
`

/** Graphviz begins with a declaration that has no place inside a page. */
const inline = (svg: string): string => svg.slice(Math.max(0, svg.indexOf('<svg')))

/** A drawing and the readings of what is drawn, as a page that needs nothing else. */
export const drawingPage = (name: string, svg: string, readings: readonly Reading[]): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${name} · axgrad</title>
        <style>
          ${{ html: style }}
        </style>
      </head>
      <body>
        <main>
          <h1>${name}</h1>
          ${drawn(inline(svg))}
          ${readings.map(
            ({ title, shows, text }) =>
              html`<details>
                <summary>${title}<small>${shows}</small></summary>
                <pre>${text}</pre>
              </details>`,
          )}
        </main>
      </body>
    </html> `.html
