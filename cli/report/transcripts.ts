import { z } from 'zod'
import { html, type Html, nothing } from '../html.js'
import { linesIn } from './lines.js'
import type { RunContents } from './contents.js'

const token = z.object({ word: z.string(), kind: z.string(), advantage: z.number() })

const transcript = z.object({
  group: z.number(),
  reward: z.object({ value: z.number(), parts: z.record(z.string(), z.number()) }),
  turns: z.array(z.object({ read: z.array(z.string()), written: z.array(token) })),
})

type Token = z.infer<typeof token>
type Episode = z.infer<typeof transcript>

/** Episodes of more steps are left out of the page: it says so. */
const mostSteps = 6

/** The advantage whose colour is full. */
const fullAdvantage = 2

/** Blue for what is to become likelier, orange for what is not. */
const background = (advantage: number): string => {
  const alpha = (Math.min(1, Math.abs(advantage) / fullAdvantage) * 0.75).toFixed(2)
  return advantage === 0 ? 'transparent' : advantage > 0 ? `rgba(66,105,208,${alpha})` : `rgba(232,135,26,${alpha})`
}

const signed = (x: number): string => `${x < 0 ? '−' : '+'}${Math.abs(x).toFixed(2)}`

/** Neighbours that are alike, together. */
const runsOf = <X>(list: readonly X[], like: (x: X, y: X) => boolean): readonly (readonly X[])[] => {
  const runs: X[][] = []
  for (const x of list) {
    const open = runs.at(-1)
    if (open !== undefined && like(open[0] as X, x)) open.push(x)
    else runs.push([x])
  }
  return runs
}

const wordsOf = (tokens: readonly Token[]): string => tokens.map(({ word }) => word).join(' ')

const written = (tokens: readonly Token[]): readonly Html[] =>
  runsOf(tokens, (x, y) => x.kind === y.kind).map((span) => {
    const parts = runsOf(span, (x, y) => x.advantage === y.advantage).map(
      (alike) =>
        html`<mark style="background:${background(alike[0]?.advantage ?? 0)}" title="advantage ${signed(alike[0]?.advantage ?? 0)}"
          >${wordsOf(alike)}</mark
        > `,
    )
    return html`<span class="kind"><em>${span[0]?.kind ?? ''}</em>${parts}</span> `
  })

interface Said {
  readonly word: string
  /** The tag that it stands in, if any: `<info>` … `</info>`. */
  readonly within: string
}

const within = (words: readonly string[]): readonly Said[] => {
  let open = ''
  return words.map((word) => {
    const [, close, name] = /^<(\/?)(\w+)>$/.exec(word) ?? []
    if (close === '') open = name ?? ''
    const said = { word, within: open }
    if (close === '/') open = ''
    return said
  })
}

/** What was read: what stands in tags told apart by them. */
const read = (words: readonly string[]): readonly Html[] =>
  runsOf(within(words), (x, y) => x.within === y.within).map((span) => {
    const text = span.map(({ word }) => word).join(' ')
    return span[0]?.within === '' ? html`${text} ` : html`<span class="tag tag-${span[0]?.within ?? ''}">${text}</span> `
  })

const turn = ({ read: words, written: tokens }: Episode['turns'][number], i: number): Html =>
  html`<div class="turn">
    <b>${i + 1}</b>
    <p class="read">${read(words)}</p>
    <p class="written">${written(tokens)}</p>
  </div>`

const episode = ({ reward: { value, parts }, turns }: Episode): Html =>
  html`<article>
    <header>
      reward
      <b>${String(Number(value.toPrecision(3)))}</b
      >${Object.entries(parts).map(([name, x]) => html` <small>${name} ${String(Number(x.toPrecision(3)))}</small>`)}
    </header>
    ${turns.map(turn)}
  </article>`

interface Step {
  readonly name: string
  readonly body: Html
}

const stepOf = (name: string): string => name.replace(/\.\w+$/, '').replace(/^0+(?=\d)/, '')

const stepOfLines = (name: string, text: string): Step => {
  const { lines, unreadable } = linesIn(text)
  const read = lines.map((line) => transcript.safeParse(line))
  const episodes = read.flatMap(({ data }) => data ?? [])
  const lost = unreadable + read.length - episodes.length
  return {
    name,
    body: html`${episodes.map(episode)}${lost === 0 ? nothing : html`<p class="absent">${lost} of its lines cannot be read.</p>`}`,
  }
}

/** Some of a list, the first and the last among them, as evenly as it goes. */
const spreadOver = <X>(list: readonly X[], most: number): readonly X[] =>
  list.length <= most ? list : Array.from({ length: most }, (_, i) => list[Math.round((i * (list.length - 1)) / (most - 1))] as X)

/** Of each step that has them its episodes word by word, or else as they were rendered. */
const stepsOf = (transcripts: RunContents['transcripts']): readonly Step[] => {
  const inWords = new Set(transcripts.flatMap(([name]) => (name.endsWith('.jsonl') ? [stepOf(name)] : [])))
  const files = transcripts.filter(([name]) => name.endsWith('.jsonl') || (name.endsWith('.txt') && !inWords.has(stepOf(name))))
  return spreadOver(files, mostSteps).map(([name, text]) =>
    name.endsWith('.jsonl') ? stepOfLines(name, text) : { name, body: html`<pre>${text}</pre>` },
  )
}

const legend = html`<p class="scale">
  What the policy wrote is coloured by the advantage it is learnt by:
  ${[-2, -1, -0.5, 0, 0.5, 1, 2].map((x) => html`<mark style="background:${background(x)}">${x === 0 ? '0' : signed(x)}</mark> `)} Blue
  becomes likelier, orange less likely; hold the pointer over a word for the number. What it read is grey, a memory in it violet and what a
  tool found green.
</p>`

/** Episodes, the last step's first. */
export const transcriptsOf = ({ transcripts }: RunContents): Html => {
  const steps = stepsOf(transcripts)
  if (steps.length === 0)
    return html`<p class="absent">No transcripts were written: <code>transcripts.every</code> of the config says after how many steps.</p>`
  return html`${legend}${steps.toReversed().map(
    ({ name, body }, i) =>
      html`<details ${i === 0 ? 'open' : ''}>
        <summary>step ${stepOf(name)}</summary>
        ${body}
      </details>`,
  )}`
}
