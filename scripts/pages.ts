// Writes the pages of docs/ that are read off the code: settings, metrics, and a page for each algorithm. `npm run pages` writes them again.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as E from 'fp-ts/lib/Either.js'
import { format, resolveConfig } from 'prettier'
import { presets } from '../algorithms/index.js'
import { isJsonObject, type JsonObject } from '../cli/json-object.js'
import { at } from '../cli/report/lines.js'
import { panels, panelStages } from '../cli/report/panels.js'
import { configOf } from '../cli/run/config.js'
import { described } from '../cli/run/described.js'
import { type Setting, settingsIn } from '../cli/run/json-schema.js'
import { algorithmNames } from '../training/index.js'

const root = fileURLToPath(new URL('..', import.meta.url))

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ')

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n')

// ── Settings ──

/** What a setting may be. */
const kindOf = ({ type, enum: words, const: only, properties, oneOf, items }: JsonObject): string => {
  if (Array.isArray(words)) return words.map((word) => `\`${String(word)}\``).join(', ')
  if (typeof only === 'string' || typeof only === 'number') return `\`${only}\``
  if (properties !== undefined || oneOf !== undefined) return ''
  return isJsonObject(items) ? 'a list' : typeof type === 'string' ? type : ''
}

/** The kinds of a setting of which there are several sorts. */
const kindsAt = (settings: readonly Setting[], path: string): string =>
  [...new Set(settings.filter((one) => one.path === path).map(({ schema }) => kindOf(schema)))].filter((kind) => kind !== '').join(' or ')

const unlessSaid = (config: unknown, path: string): string => {
  const value = at(config, path)
  return value === undefined || typeof value === 'object' ? '' : `\`${JSON.stringify(value)}\``
}

const configPage = (): string => {
  const config = configOf([], false)
  const settings = settingsIn()
  const rows = [...new Set(settings.map(({ path }) => path))].map((path) => [
    `\`${path}\``,
    kindsAt(settings, path),
    E.isRight(config) ? unlessSaid(config.right, path) : '',
    described[path] ?? '',
  ])
  return `# Every setting of a run

\`axgrad train config.json\` reads these; a \`.ts\` file may export them as its default. What a config leaves out is the default of its task: the third
column is what \`${E.isRight(config) ? config.right.task.name : ''}\` has, which is run where nothing is said. The table is read off the schema that configs are checked by (\`npm run pages\`).

${table(['setting', 'what it may be', 'unless said', 'what it is'], rows)}
`
}

// ── Metrics ──

const pathsOf = ({ series }: (typeof panels)[number]): readonly string[] =>
  'each' in series ? [`\`${series.each}\``] : series.map(({ path }) => `\`${path}\``)

const metricsPage = (): string => `# Every metric of a run

A line of \`metrics.jsonl\` is a step: \`stage\` says of what, \`step\` counts from 1 through all stages. Lines of the stage \`evaluation\` have the
held-out questions: the mean of each number and its standard error, answered greedily and by sampling. The report draws all that move.

Besides what is drawn, \`forwardPasses\` has each forward pass of a step and how many sequences were read in it: four passes for GRPO (\`rollout\`,
\`old\`, \`reference\`, \`update\`) and five for MemPO, whose \`probes\` are two for each memory; \`old\` only where \`oldLogProbs\` is \`recomputed\`.

${panelStages
  .map(
    ([stage, title]) => `## ${title}

${table(
  ['what', 'where', 'unit', 'how to read it'],
  panels.filter((panel) => panel.stage === stage).map((panel) => [panel.title, pathsOf(panel).join(', '), panel.unit, panel.says]),
)}`,
  )
  .join('\n\n')}
`

// ── Algorithms ──

interface Algorithm {
  readonly name: string
  readonly file: string
  readonly doc: readonly string[]
  readonly settings: readonly string[]
}

const plain = (comment: string): readonly string[] => comment.split('\n').map((line) => line.replace(/^ ?\* ?/, '').trimEnd())

const algorithmsIn = (file: string): readonly Algorithm[] => {
  const text = readFileSync(join(root, file), 'utf8')
  const settings = [...text.matchAll(/^(?:\/\*\*(?:(?!\*\/)[^])*\*\/\n)?export interface \w*Config\w* [^]*?^}$/gm)].map(([whole]) => whole)
  return [...text.matchAll(/^\/\*\*((?:(?!\*\/)[^])*)\*\/\nexport const (\w+)Loss\b/gm)].flatMap(([, comment = '', name = '']) =>
    comment.includes('Source:') ? [{ name, file, doc: plain(comment), settings }] : [],
  )
}

const files = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .flatMap((name) => (name.endsWith('.ts') ? [`${folder}/${name}`] : []))
    .toSorted()

/** A docstring as Markdown: what is indented is a formula. */
const asMarkdown = (doc: readonly string[]): string =>
  doc
    .join('\n')
    .trim()
    .replace(/(?:^ {2,}\S.*\n?)+/gm, (formula) => `\`\`\`text\n${formula.replace(/^ {2}/gm, '').trimEnd()}\n\`\`\`\n`)
    .replace(/^(Gradient|Axes|Source):/gm, '\n**$1:**')
    .replace(/(\S) (Gradient|Source):/g, '$1\n\n**$2:**')

const presetRows = (key: string): readonly (readonly string[])[] =>
  Object.entries(presets).flatMap(([preset, settings]) => {
    const own = (settings as unknown as JsonObject)[key]
    return own === undefined ? [] : [[preset, `\`${JSON.stringify(own)}\``]]
  })

const trainedBy = (name: string): string =>
  algorithmNames.includes(name)
    ? `Trained by \`axgrad train --algorithm ${name}\`, checked by \`axgrad check ${name}\`, looked at by \`axgrad inspect ${name}\`.`
    : `A function of \`axgrad/algorithms\`: \`${name}Loss\`.`

const algorithmPage = ({ name, file, doc, settings }: Algorithm): string => {
  const rows = presetRows(name)
  return `# ${name}

${asMarkdown(doc)}

${trainedBy(name)} The code is \`${file}\`, and what its steps are watched by stands in [metrics](../metrics.md).
${settings.length === 0 ? '' : `\n## Settings\n\n\`\`\`typescript\n${settings.join('\n\n')}\n\`\`\`\n`}${rows.length === 0 ? '' : `\n## Presets\n\n${table(['preset', 'settings'], rows)}\n`}`
}

const summary = ({ doc }: Algorithm): string => /^[^]*?[.:](?=\s|$)/.exec(doc.join(' ').trim())?.[0].replace(/:$/, '.') ?? ''

const indexPage = (algorithms: readonly Algorithm[]): string => `# Algorithms

Each has its formula, settings, presets and source on a page of its own, read off its code (\`npm run pages\`).

${table(
  ['loss', 'in one sentence'],
  algorithms.map((one) => [`[${one.name}](${one.name}.md)`, summary(one)]),
)}

By name, for \`axgrad train --algorithm\`, \`check\` and \`inspect\`, there are also variants of them: ${algorithmNames.map((name) => `\`${name}\``).join(', ')}.
`

/** The pages by their paths. */
export const pages = async (): Promise<Readonly<Record<string, string>>> => {
  const algorithms = files('algorithms').flatMap(algorithmsIn)
  const made = {
    'docs/config.md': configPage(),
    'docs/metrics.md': metricsPage(),
    'docs/algorithms/README.md': indexPage(algorithms),
    ...Object.fromEntries(algorithms.map((one) => [`docs/algorithms/${one.name}.md`, algorithmPage(one)])),
  }
  const style = await resolveConfig(join(root, 'README.md'))
  const formatted = Object.entries(made).map(async ([path, text]) => [path, await format(text, { ...style, parser: 'markdown' })] as const)
  return Object.fromEntries(await Promise.all(formatted))
}

if (basename(process.argv[1] ?? '') === 'pages.ts') {
  rmSync(join(root, 'docs/algorithms'), { recursive: true, force: true })
  for (const [path, text] of Object.entries(await pages())) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}
