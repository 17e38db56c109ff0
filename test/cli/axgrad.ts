import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'
import { axgrad as command } from '../../cli/axgrad.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** The command, in a process of its own: slower, and lines of a user's file are those of its source. */
export const axgradAlone = (...args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', 'cli/main.ts', ...args], { cwd: root }, (error, out, err) =>
      resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, out, err }),
    )
  })

/** The command, in this process: what it prints is kept. */
export const axgrad = async (...args: readonly string[]): Promise<Ended> => {
  const printed = (stream: 'log' | 'error') => vi.spyOn(console, stream).mockImplementation(() => undefined)
  const [out, err] = [printed('log'), printed('error')]
  try {
    const code = await command(args)
    const text = (spy: typeof out): string => spy.mock.calls.map(([line]) => `${String(line)}\n`).join('')
    return { code, out: text(out), err: text(err) }
  } finally {
    out.mockRestore()
    err.mockRestore()
  }
}

export const fixture = (name: string): string => `test/cli/fixtures/${name}.ts`
