import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import type { Device } from '../../backends/index.js'
import { openDevice } from '../../backends/index.js'
import { must } from '../backends/opened.js'
import { apart, onDevice, onReference, optimizers, sha256 } from './trajectory.js'

/** What the README says of them. */
const [, parametersOf] = /SHA-256 of `([0-9a-f]{64})`/.exec(readFileSync('README.md', 'utf8')) ?? []

const devices = {
  cpu: () => must(openDevice('cpu', { threads: 2 })),
  'cpu, strictly': () => must(openDevice('cpu', { strict: true, threads: 1 })),
  software: () => must(openDevice('software')),
} as const

const opened: Device[] = []
const open = async (name: keyof typeof devices): Promise<Device> => {
  const device = await devices[name]()
  opened.push(device)
  return device
}
afterAll(async () => {
  for (const device of opened) await device.release()
})

/** How far parameters may be from the reference's: AdamW divides small gradients by their own size. */
const most = { AdamW: 1e-3, SGD: 1e-5 } as const

describe.each(Object.entries(optimizers) as readonly (readonly [keyof typeof optimizers, (typeof optimizers)['SGD']])[])(
  'thirty steps of %s',
  (name, optimizer) => {
    const expected = onReference(optimizer)

    test('learn', () => {
      const mean = (xs: readonly number[]): number => xs.reduce((sum, x) => sum + x, 0) / xs.length
      expect(mean(expected.losses.slice(-5))).toBeLessThan(0.9 * mean(expected.losses.slice(0, 5)))
    })

    test.each(Object.keys(devices) as readonly (keyof typeof devices)[])('are those of the reference on %s', async (where) => {
      const { losses, params } = apart(await onDevice(await open(where), optimizer), expected)
      expect(losses).toBeLessThan(1e-4)
      expect(params).toBeLessThan(most[name])
    })
  },
)

// Every machine gives these bits: WebAssembly without relaxed SIMD is deterministic.
test('strictly, the parameters after thirty steps have one SHA-256 on every machine and with any number of threads', async () => {
  const hashes = []
  for (const threads of [1, 2, 3]) {
    const device = await must(openDevice('cpu', { strict: true, threads }))
    opened.push(device)
    hashes.push(sha256(await onDevice(device, optimizers.AdamW)))
  }
  expect(new Set(hashes).size).toBe(1)
  expect(hashes[0]).toBe(parametersOf)
})
