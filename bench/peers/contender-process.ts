import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { type ContenderInfo, environment } from './contenders.js'
import type { Ask, Reply } from './protocol/messages.js'

export type ReplyOf<R extends Reply['reply']> = Extract<Reply, { readonly reply: R }>

/** A contender's process. It stands still but while it is asked something, so that no other is slowed by threads of it that wait by turning. */
export interface ContenderProcess {
  readonly info: ContenderInfo
  readonly facts: Readonly<Record<string, string>>
  readonly ask: <R extends Reply['reply']>(ask: Ask, for_: R) => Promise<ReplyOf<R>>
  /** The most memory that it had so far, in bytes. */
  readonly peakBytes: () => number
  readonly quit: () => void
}

/** Longer than this nothing is waited for, in milliseconds. */
const patience = 300_000

const lastLines = (text: string): string => text.trimEnd().split('\n').slice(-3).join(' ').slice(-300)

/** What a process says, each thing once, or why it will say nothing more. */
const repliesOf = (child: ChildProcess): (() => Promise<Reply>) => {
  const waiting: ((reply: Reply) => void)[] = []
  const unheard: Reply[] = []
  let complaints = ''
  const heard = (reply: Reply): void => {
    const next = waiting.shift()
    if (next === undefined) unheard.push(reply)
    else next(reply)
  }
  createInterface({ input: child.stdio[3] as Readable }).on('line', (line) => heard(JSON.parse(line) as Reply))
  child.stderr?.on('data', (text: Buffer) => (complaints += text.toString()))
  child.on('close', (code, signal) => heard({ reply: 'cannot', because: `it ended (${String(code ?? signal)}): ${lastLines(complaints)}` }))
  child.on('error', ({ message }) => heard({ reply: 'cannot', because: message }))
  return () =>
    new Promise((resolve) => {
      const reply = unheard.shift()
      if (reply === undefined) waiting.push(resolve)
      else resolve(reply)
    })
}

const late: Reply = { reply: 'cannot', because: `it said nothing for ${String(patience / 1000)} s` }

const withPatience = async (reply: Promise<Reply>): Promise<Reply> => {
  let timer: NodeJS.Timeout | undefined
  const tired = new Promise<Reply>((resolve) => (timer = setTimeout(() => resolve(late), patience)))
  try {
    return await Promise.race([reply, tired])
  } finally {
    clearTimeout(timer)
  }
}

const expecting = <R extends Reply['reply']>(reply: Reply, wanted: R): ReplyOf<R> => {
  if (reply.reply !== wanted) throw new Error(reply.reply === 'cannot' ? reply.because : `it said ${reply.reply}`)
  return reply as ReplyOf<R>
}

/** To the process and all that it started. */
const signal = ({ pid }: ChildProcess, name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void => {
  try {
    if (pid !== undefined) process.kill(-pid, name)
  } catch {
    // it has ended
  }
}

const highWaterMark = (pid: number): number => {
  const [, kilobytes = 'NaN'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8')) ?? []
  return 1024 * Number(kilobytes)
}

/** Start a contender and wait until it has opened what it computes on. Rejects with the reason why it cannot run. */
export const start = async (info: ContenderInfo): Promise<ContenderProcess> => {
  const [command = '', ...settings] = info.command
  const shaderCache = mkdtempSync(join(tmpdir(), 'shaders-'))
  const child = spawn(command, settings, { detached: true, env: environment(shaderCache), stdio: ['pipe', 'ignore', 'pipe', 'pipe'] })
  child.on('close', () => {
    process.off('exit', quit)
    rmSync(shaderCache, { recursive: true, force: true })
  })
  const next = repliesOf(child)
  const quit = (): void => signal(child, 'SIGKILL')
  process.once('exit', quit)
  const heard = async <R extends Reply['reply']>(wanted: R): Promise<ReplyOf<R>> => {
    const reply = await withPatience(next())
    if (reply.reply === 'cannot') quit()
    else signal(child, 'SIGSTOP')
    return expecting(reply, wanted)
  }
  const { facts } = await heard('ready')
  return {
    info,
    facts,
    ask: (ask, wanted) => {
      signal(child, 'SIGCONT')
      child.stdin?.write(`${JSON.stringify(ask)}\n`)
      return heard(wanted)
    },
    peakBytes: () => highWaterMark(child.pid ?? NaN),
    quit,
  }
}
