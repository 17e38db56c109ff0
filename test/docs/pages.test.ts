import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { messagesFor } from '../types/checker.js'
import { laidOut, patternOf, printed, readPage, root } from './page.js'

const paths = ['README.md', ...readdirSync(join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : []))]
const pages = paths.map(readPage)

test('what a program of the documentation says is type-checked', () => {
  const folders = pages.filter(({ sources }) => Object.keys(sources).length > 0).map((page) => ({ page, folder: laidOut(page) }))
  try {
    const sources = folders.flatMap(({ page, folder }) =>
      Object.entries(page.sources).map(([name, text]) => [relative(root, join(folder, name)), text] as const),
    )
    expect(sources.length).toBeGreaterThan(10)
    const messages = Object.values(messagesFor(Object.fromEntries(sources), ['node']))
    const names = folders.flatMap(({ page }) => Object.keys(page.sources).map((name) => `${page.path}: ${name}`))
    expect(names.flatMap((name, i) => (messages[i]?.length === 0 ? [] : [[name, ...(messages[i] ?? [])]]))).toEqual([])
  } finally {
    for (const { folder } of folders) rmSync(folder, { recursive: true })
  }
}, 240_000)

test('every program has a name, and every program is run', () => {
  for (const { path, blocks, sources, commands } of pages) {
    expect([path, blocks.filter(({ language }) => language === 'ts').length]).toEqual([path, Object.keys(sources).length])
    const said = [...commands.map(({ command }) => command), ...Object.values(sources)].join('\n')
    expect([path, Object.keys(sources).filter((name) => !said.includes(name) && !said.includes(name.replace(/\.ts$/, '.js')))]).toEqual([
      path,
      [],
    ])
  }
})

describe.each(pages.filter(({ commands }) => commands.length > 0))('$path', (page) => {
  let folder = ''
  beforeAll(() => {
    folder = laidOut(page)
  })
  afterAll(() => {
    rmSync(folder, { recursive: true })
  })

  // `UPDATE=1 npx vitest run test/docs` writes what a command prints into the page, where the page has nothing else.
  test.each(page.commands)(
    '$command',
    async ({ command, prints }) => {
      const out = await printed(folder, command)
      if (process.env['UPDATE'] !== undefined && prints === '') {
        const file = join(root, page.path)
        writeFileSync(
          file,
          readFileSync(file, 'utf8').replace(`$ ${command}\n\`\`\``, () => `$ ${command}\n${out}\`\`\``),
        )
        return
      }
      expect(out).toMatch(patternOf(prints))
    },
    240_000,
  )
})

const links = (text: string): readonly string[] => [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, to = '']) => to)

test('every link of the documentation leads somewhere', () => {
  const dead = paths.flatMap((path) =>
    links(readFileSync(join(root, path), 'utf8')).filter((to) => {
      try {
        readFileSync(join(root, path, '..', to))
        return false
      } catch (error) {
        return (error as NodeJS.ErrnoException).code !== 'EISDIR'
      }
    }),
  )
  expect(dead).toEqual([])
})
