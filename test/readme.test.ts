import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const readme = readFileSync(`${root}README.md`, 'utf8')
mkdirSync(`${root}.tmp`, { recursive: true })
const folder = mkdtempSync(`${root}.tmp/readme-`)

/** The blocks that name their file in the first line: `// my-loss.ts`. */
const sources = [...readme.matchAll(/^```ts\n\/\/ (\S+)\n([\s\S]*?)^```$/gm)].map(([, name = '', text = '']) => ({
  name,
  text: `\n${text}`,
}))

/** The commands that are shown with what they print. */
const commands = [...readme.matchAll(/^```console\n\$ npx (.+)\n([\s\S]*?)^```$/gm)].map(([, command = '', prints = '']) => ({
  command,
  prints,
}))

const run = (command: string): Promise<string> => {
  const [tool = '', ...args] = command.split(' ')
  const script = tool === 'axgrad' ? ['--import', 'tsx', `${root}cli/main.ts`] : ['--import', 'tsx']
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [...script, ...args], { cwd: folder }, (error, out, err) =>
      error === null ? resolve(out) : reject(new Error(out + err)),
    )
  })
}

beforeAll(() => sources.forEach(({ name, text }) => writeFileSync(`${folder}/${name}`, text)))
afterAll(() => rmSync(folder, { recursive: true }))

test('the README has programs and commands', () => {
  expect(sources.map(({ name }) => name)).toEqual(['my-loss.ts', 'run.ts'])
  expect(commands).toHaveLength(3)
})

test.each(commands)('$command prints what the README shows', async ({ command, prints }) => {
  const out = await run(command)
  if (prints === '') expect(out).toContain('kernel ')
  else expect(out).toBe(prints)
})
