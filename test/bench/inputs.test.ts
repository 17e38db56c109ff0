import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { inputsOf } from '../../bench/peers/inputs/index.js'
import { type Workload, workloads } from '../../bench/peers/workloads.js'

const workload = (name: string): Workload => workloads.find((one) => one.name === name)!

const inputs = (name: string) => inputsOf(workload(name).kind, name, workload(name).sizes as never)

const digest = (name: string): string => {
  const hash = createHash('sha256')
  for (const [array, { shape, data }] of Object.entries(inputs(name)).sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`${array}[${shape.join()}]`).update(new Uint8Array(data.buffer))
  return hash.digest('hex').slice(0, 16)
}

// Of the generator that the peers' numbers were first measured with.
test.each([
  ['W1a', '11cf0004d32e1ab2'],
  ['W1b', '49fd81d0f400b710'],
  ['W1c', 'bc01bf2eba7d2cae'],
  ['W3', 'f70151b9e5da8cc3'],
  ['W4', '316b35229f7dd284'],
  ['W5', '55ebf376383bc2de'],
  ['W7', 'ab8a491485d24173'],
])('the inputs of %s have the bits that they always had', (name, bits) => {
  expect(digest(name)).toBe(bits)
})
