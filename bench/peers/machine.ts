import { cpus, loadavg, totalmem } from 'node:os'
import type { Machine } from './results.js'

export const loadNow = (): number => loadavg()[0] ?? NaN

export const machine = (before: number): Machine => {
  const [first, ...others] = cpus()
  return {
    processor: first?.model ?? 'unknown',
    cores: 1 + others.length,
    memoryBytes: totalmem(),
    node: process.version,
    load: [before, loadNow()],
  }
}
