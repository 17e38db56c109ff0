import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** How many lines of metrics a run has written. */
export const linesOf = (run: string): number => {
  const file = join(run, 'metrics.jsonl')
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0
}

/** The metrics of a run, and the parameters and moments after a step. */
export const numbersAt = (run: string, step: number): readonly string[] => {
  const checkpoint = join('checkpoints', String(step).padStart(6, '0'))
  return ['metrics.jsonl', 'latest', join(checkpoint, 'model.safetensors'), join(checkpoint, 'optimizer.safetensors')].map((file) =>
    readFileSync(join(run, file)).toString('base64'),
  )
}

/** The command in a process of its own, which is killed once it has written so many lines. */
export const killedAt = (lines: number, config: string, run: string): Promise<NodeJS.Signals | null> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'cli/main.ts', 'train', config, '--out', run], { stdio: 'ignore' })
    const watch = setInterval(() => {
      if (linesOf(run) >= lines) child.kill('SIGKILL')
    }, 1)
    child.on('exit', (_, signal) => {
      clearInterval(watch)
      resolve(signal)
    })
  })
