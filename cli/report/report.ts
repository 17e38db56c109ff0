import type { RunContents } from './contents.js'
import { figuresOf } from './figures.js'
import { html, type Html, nothing } from '../html.js'
import { type Line, linesIn, textAt } from './lines.js'
import { headlineOf } from './headline.js'
import { noticesOf } from './notices.js'
import { panelStages } from './panels.js'
import { settingsOf } from './settings.js'
import { style } from './style.js'
import { evaluationTable } from './table.js'
import { timesOf } from './times.js'
import { transcriptsOf } from './transcripts.js'
import { warningsIn } from './warnings.js'

const section = (title: string, body: Html): Html =>
  html`<section>
    <h2>${title}</h2>
    ${body}
  </section>`

/** The charts of each stage that the run had. */
const charts = (metrics: readonly Line[]): readonly Html[] =>
  panelStages
    .map(([stage, title]) => [`${title}, by step`, figuresOf(stage, metrics)] as const)
    .filter(([, figures]) => figures !== nothing)
    .map(([title, figures]) => section(title, figures))

const titleOf = ({ told }: RunContents): string => {
  const loss = textAt(told, 'config.reinforcement.lossFile') ?? textAt(told, 'config.reinforcement.algorithm')
  return `${textAt(told, 'config.task.name') ?? 'a run'} by ${loss ?? 'no algorithm'}`
}

const body = (contents: RunContents, metrics: readonly Line[], timing: readonly Line[]): Html =>
  html`<main>
    <header>
      <h1>${titleOf(contents)}</h1>
      <small>${contents.folder} · seed ${textAt(contents.told, 'seed') ?? '?'} · axgrad ${textAt(contents.told, 'axgrad') ?? '?'}</small>
      ${noticesOf(contents)}${headlineOf(metrics)}
    </header>
    ${section('Before and after', evaluationTable(metrics))} ${charts(metrics)} ${section('Transcripts', transcriptsOf(contents))}
    ${section('Warnings', warningsIn(metrics))} ${section('Where the time went', html`<div class="bar">${timesOf(timing)}</div>`)}
    ${section('What was run', settingsOf(contents.told))}
  </main>`

/** What a run was and what came of it, as one page of HTML that needs nothing else. A run that is not over, or has lost a file, gets what there is. */
export const reportOf = (contents: RunContents): string => {
  const [metrics, timing] = [contents.metrics, contents.timing].map((text) => linesIn(text ?? '').lines)
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${titleOf(contents)} · axgrad</title>
        <style>
          ${{ html: style }}
        </style>
      </head>
      <body>
        ${body(contents, metrics ?? [], timing ?? [])}
      </body>
    </html> `
  return page.html
}
