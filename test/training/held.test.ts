import * as E from 'fp-ts/lib/Either.js'
import { expect, test } from 'vitest'
import { dropTree, holdTree, holdZeros, readTree } from '../../training/index.js'
import { initial, onCpu, parameters, right } from './tiny.js'

test('a tree comes back from the device as it was held', () =>
  onCpu(async (device) => {
    const held = right(await holdTree(device)(parameters, initial)())
    expect(right(await readTree(device)(parameters, held)())).toEqual(initial)
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
