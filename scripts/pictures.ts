// Draws the pictures of the README: `npm run pictures -- FOLDER` with the folder of a run, as `axgrad train --task recall --algorithm mempo --quick`
// makes one. The charts are those of its report; the kernels are those of the loss in the README.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as E from 'fp-ts/lib/Either.js'
import { DOMParser } from 'linkedom'
import { axgrad } from '../cli/axgrad.js'
import { readContents } from '../cli/report/contents.js'
import { reportOf } from '../cli/report/report.js'
import { disk, renderRunFolderError } from '../training/index.js'

interface Element {
  readonly textContent: string
  readonly outerHTML: string
  readonly querySelector: (selector: string) => Element
  readonly querySelectorAll: (selector: string) => Iterable<Element>
  readonly getAttribute: (name: string) => string | null
}

const shown = ['Reward', 'KL to the reference', 'Entropy', 'What a memory is worth', 'Advantage by kind of token', 'Clip fraction']
const [columns, width, height] = [3, 350, 190]

const text = (x: number, y: number, size: number, weight: number, fill: string, said: string): string =>
  `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${fill}">${said.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`

/** A line of what each colour is, about as wide as its letters. */
const legend = (figure: Element): string => {
  let x = 4
  return [...figure.querySelectorAll('.legend > span')]
    .map((one) => {
      const [said, color] = [one.textContent.trim(), /#\w+/.exec(one.querySelector('i').getAttribute('style') ?? '')?.[0] ?? '']
      const drawn = `<rect x="${x}" y="25" width="10" height="3" fill="${color}"/>${text(x + 15, 30, 11, 400, '#6b7280', said)}`
      x += 30 + 6.2 * said.length
      return drawn
    })
    .join('')
}

/** The title, and behind it the unit. */
const titleOf = (figure: Element): string =>
  figure
    .querySelector('h3')
    .outerHTML.replace(/\s*<small>/, ', ')
    .replace(/<[^>]+>/g, '')
    .trim()

const panel = (figure: Element, i: number): string => {
  const [x, y] = [(i % columns) * width, Math.floor(i / columns) * (height + 16)]
  const chart = figure.querySelector('svg').outerHTML.replace('<svg ', '<svg x="0" y="36" color="#4b5563" ')
  return `<g transform="translate(${x},${y})">${text(4, 14, 13, 600, '#1f2430', titleOf(figure))}${legend(figure)}${chart}</g>`
}

const charts = (page: string): string => {
  const figures = [...(new DOMParser().parseFromString(page, 'text/html') as unknown as Element).querySelectorAll('figure')]
  const chosen = shown.flatMap((title) => figures.find((figure) => figure.querySelector('h3').textContent.trim().startsWith(title)) ?? [])
  const rows = Math.ceil(chosen.length / columns)
  const [all, high] = [columns * width, rows * (height + 16)]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 ${all + 20} ${high + 20}" width="${all + 20}" height="${high + 20}" font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"><rect x="-10" y="-10" width="100%" height="100%" fill="white"/>${chosen.map(panel).join('')}</svg>\n`
}

const root = fileURLToPath(new URL('..', import.meta.url))

const drawKernels = async (): Promise<void> => {
  const [, loss = ''] = /^```ts\n\/\/ my-loss.ts\n([\s\S]*?)^```$/m.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
  const folder = mkdtempSync(join(root, '.tmp/picture-'))
  try {
    writeFileSync(join(folder, 'my-loss.ts'), loss)
    process.exitCode = await axgrad(['inspect', join(folder, 'my-loss.ts'), '--out', join(root, 'docs/kernels.svg')])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const contents = await readContents(disk, process.argv[2] ?? '')()
if (E.isLeft(contents)) {
  console.error(renderRunFolderError(contents.left))
  process.exitCode = 2
} else {
  writeFileSync(join(root, 'docs/report.svg'), charts(reportOf(contents.right)))
  await drawKernels()
}
