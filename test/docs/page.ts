import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format } from 'node:util'
import { vi } from 'vitest'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** A block of a page, in the order of the page. */
export interface Block {
  readonly language: string
  readonly text: string
}

export interface Command {
  readonly command: string
  /** What it prints; a line `…` stands for any number of lines. */
  readonly prints: string
}

/** A page of the documentation as its reader would use it. */
export interface Page {
  readonly path: string
  readonly blocks: readonly Block[]
  /** The programs that name their file in the first line: `// my-loss.ts`. */
  readonly sources: Readonly<Record<string, string>>
  /** The commands that are shown with what they print. */
  readonly commands: readonly Command[]
}

const blocksIn = (text: string): readonly Block[] =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', inside = '']) => ({ language, text: inside }))

const sourceIn = ({ language, text }: Block): readonly (readonly [string, string])[] => {
  const [, name] = /^\/\/ (\S+\.ts)\n/.exec(text) ?? []
  return language === 'ts' && name !== undefined ? [[name, text.replace(/^.*\n/, '\n')]] : []
}

const commandIn = ({ language, text }: Block): readonly Command[] => {
  const [, command = '', prints = ''] = /^\$ (.+)\n([\s\S]*)$/.exec(text) ?? []
  return language === 'console' ? [{ command, prints }] : []
}

export const readPage = (path: string): Page => {
  const blocks = blocksIn(readFileSync(join(root, path), 'utf8'))
  return { path, blocks, sources: Object.fromEntries(blocks.flatMap(sourceIn)), commands: blocks.flatMap(commandIn) }
}

/** A new folder with the programs of a page. */
export const laidOut = ({ sources }: Page): string => {
  mkdirSync(join(root, '.tmp'), { recursive: true })
  const folder = mkdtempSync(join(root, '.tmp/page-'))
  for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text)
  return folder
}

/** A command of ours in a process of its own, so that the lines of a file are those of its source. */
const alone = (folder: string, args: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(process.execPath, ['--import', 'tsx', join(root, 'cli/main.ts'), ...args], { cwd: folder }, (error, out, err) =>
      error === null ? resolve(out) : reject(new Error(out + err)),
    )
  })

/** A program in this process, in which the library is loaded already. */
const imported = async (folder: string, file: string): Promise<string> => {
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  try {
    await import(join(folder, file))
    return print.mock.calls.map((line) => `${format(...(line as [unknown]))}\n`).join('')
  } finally {
    print.mockRestore()
  }
}

/** What a command prints in a folder: `npx tsx FILE` or `npx axgrad …`. */
export const printed = (folder: string, command: string): Promise<string> => {
  const [npx = '', tool = '', ...args] = command.split(' ')
  if (npx !== 'npx' || !['tsx', 'axgrad'].includes(tool)) throw new Error(`not a command that a page may show: ${command}`)
  return tool === 'axgrad' ? alone(folder, args) : imported(folder, args[0] ?? '')
}

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The pattern of what is shown. */
export const patternOf = (prints: string): RegExp => new RegExp(`^${prints.split(/^…\n/m).map(literally).join('(?:.*\\n)*?')}$`)
