import * as E from 'fp-ts/lib/Either.js'
import { expect, test } from 'vitest'
import { f32 } from '../../dsl/index.js'
import { dropTree, holdTree, holdZeros, readTree } from '../../training/index.js'
import { initial, onCpu, parameters, right } from './tiny.js'

test('a tree comes back from the device as it was held', () =>
  onCpu(async (device) => {
    const held = right(await holdTree(device)(parameters, initial)())
    expect(right(await readTree(device)(parameters, held)())).toEqual(initial)
  }))

test('a tree may be called as a value is, or as what a device holds', () =>
  onCpu(async (device) => {
    const specs = { sizes: f32({ n: 2 }), data: f32({ n: 1 }), handle: f32({ n: 1 }) }
    const values = { sizes: { sizes: [2], data: Float32Array.of(1, 2) }, data: { sizes: [1], data: Float32Array.of(3) } }
    const held = right(await holdTree(device)(specs, values)())
    expect(right(await readTree(device)(specs, held)())).toEqual({ ...values, handle: { sizes: [1], data: Float32Array.of(0) } })
  }))

test('zeros have the shapes of the specs', () =>
  onCpu(async (device) => {
    const zeros = right(await readTree(device)(parameters, right(await holdZeros(device)(parameters)()))())
    expect(zeros.layers[0]!.output.sizes).toEqual([2, 2, 4])
    expect([...zeros.layers[0]!.output.data].every((x) => x === 0)).toBe(true)
  }))

test('a tree that was dropped is not there', () =>
  onCpu(async (device) => {
    const held = right(await holdTree(device)(parameters, initial)())
    dropTree(device)(held)
    expect(await readTree(device)(parameters, held)()).toMatchObject(E.left({ tag: 'refused', error: { tag: 'unknownTensor' } }))
  }))
