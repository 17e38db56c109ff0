import { html, type Html } from '../html.js'
import { isJsonObject } from '../json-object.js'
import { at, type Line } from './lines.js'

/** `embed 32, layers 2`; a record inside a record in parentheses. */
const said = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(said).join('; ')
  if (!isJsonObject(value)) return String(value)
  const parts = Object.entries(value).filter(([, inner]) => !(isJsonObject(inner) && Object.keys(inner).length === 0))
  return parts
    .map(([key, inner]) => `${key} ${isJsonObject(inner) || Array.isArray(inner) ? `(${said(inner)})` : String(inner)}`)
    .join(', ')
}

const item = (name: string, value: unknown): readonly Html[] =>
  value === undefined || said(value) === ''
    ? []
    : [
        html`<div>
          <dt>${name}</dt>
          <dd>${said(value)}</dd>
        </div>`,
      ]

const parts = (told: Line, path: string): readonly Html[] => {
  const found = at(told, path)
  return isJsonObject(found) ? Object.entries(found).flatMap(([name, value]) => item(name, value)) : []
}

/** Where a run ran and what it was told, all of it. */
export const settingsOf = (told: Line): Html =>
  html`<dl class="settings">
      ${['axgrad', 'node', 'adapter', 'fma', 'seed'].flatMap((name) => item(name === 'fma' ? 'fused multiply-adds' : name, told[name]))}
      ${['device', 'strict', 'threads', 'init'].flatMap((name) => item(name, at(told, `config.${name}`)))}
    </dl>
    ${['task', 'model', 'supervised', 'rewardModel', 'reinforcement', 'evaluation'].map(
      (name) =>
        html`<h4>${name}</h4>
          <dl class="settings">${parts(told, `config.${name}`)}</dl>`,
    )}
    <details>
      <summary>config.json</summary>
      <pre>${JSON.stringify(told, null, 2)}</pre>
    </details>`
