import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export type Files = Readonly<Record<string, string>>

export interface Outcome {
  readonly status: number | null
  readonly output: string
}

// Inside the repository, so that a fixture finds our packages and settings on the way up; ignored by git and by every tool run from the root.
const parent = join(root, '.tmp')

const tsconfig = JSON.stringify({
  extends: '../../tsconfig.json',
  compilerOptions: { paths: { 'axgrad/*': ['./*/index.ts'] } },
  include: ['**/*.ts'],
  exclude: [],
})

/** What `node script ...args` says when run in a tree of these files, configured as ours is. */
export const runIn = (files: Files, script: string, ...args: readonly string[]): Outcome => {
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'fixture-'))
  try {
    for (const [path, text] of Object.entries({ 'tsconfig.json': tsconfig, ...files })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, script), ...args], { cwd: folder, encoding: 'utf8' })
    return { status, output: stdout + stderr }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
