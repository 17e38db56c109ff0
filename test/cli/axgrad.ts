import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** The command, in a process of its own. */
export const axgrad = (...args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', 'cli/main.ts', ...args], { cwd: root }, (error, out, err) =>
      resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, out, err }),
    )
  })

export const fixture = (name: string): string => `test/cli/fixtures/${name}.ts`
