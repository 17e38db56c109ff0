import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, test } from 'vitest'
import { readSafetensors, renderSafetensorsError, storedValue, writeSafetensors } from '../../../models/index.js'
import { right } from '../../right.js'
import { f32Bytes, fileOf, joined, wordBytes } from './files.js'

const valuesOf = (file: Uint8Array) =>
  Object.fromEntries([...right(readSafetensors(file)).tensors].map(([name, stored]) => [name, storedValue(stored)]))

describe('a file of other hands', () => {
  // 0.1, −2, the least subnormal, the greatest, ∞ and a NaN, bits and values as IEEE 754 has them.
  const halves = wordBytes(0x2e66, 0xc000, 0x0001, 0x7bff, 0xfc00, 0x7e01)
  const brains = wordBytes(0x3dcd, 0xc000, 0x7f80)
  const header = {
    __metadata__: { format: 'pt', by: 'hand' },
    b: { dtype: 'BF16', shape: [3], data_offsets: [20, 26] },
    'a.weight': { dtype: 'F32', shape: [2, 1], data_offsets: [0, 8] },
    h: { dtype: 'F16', shape: [2, 3], data_offsets: [8, 20] },
    none: { dtype: 'F32', shape: [0, 9_007_199_254_740_991, 9_007_199_254_740_991], data_offsets: [26, 26] },
  }
  const file = fileOf(JSON.stringify(header), joined(f32Bytes(1.5, -2), halves, brains))

  test('its tensors are read, half precision widened without a rounding', () => {
    expect(valuesOf(file)).toEqual({
      'a.weight': { sizes: [2, 1], data: Float32Array.of(1.5, -2) },
      h: { sizes: [2, 3], data: Float32Array.of(0.0999755859375, -2, 2 ** -24, 65504, -Infinity, NaN) },
      b: { sizes: [3], data: Float32Array.of(0.10009765625, -2, Infinity) },
      none: { sizes: [0, 9_007_199_254_740_991, 9_007_199_254_740_991], data: new Float32Array() },
    })
    expect(right(readSafetensors(file)).metadata).toEqual({ format: 'pt', by: 'hand' })
  })

  test('where it lies in memory does not matter', () => {
    for (const shift of [1, 2, 3]) {
      const memory = new Uint8Array(file.length + shift)
      memory.set(file, shift)
      expect(valuesOf(memory.subarray(shift))).toEqual(valuesOf(file))
      expect(valuesOf(Buffer.from(memory.buffer, shift))).toEqual(valuesOf(file))
    }
  })

  test('f32 at a multiple of four bytes is not copied', () => {
    const written = writeSafetensors(new Map([['x', { sizes: [2], data: Float32Array.of(1, 2) }]]))
    expect(valuesOf(written)['x']?.data).toMatchObject({ buffer: written.buffer })
  })
})

test('every half is widened as its formula says', () => {
  const all = Uint16Array.from({ length: 2 ** 16 }, (_, i) => i)
  const header = JSON.stringify({ all: { dtype: 'F16', shape: [2 ** 16], data_offsets: [0, 2 ** 17] } })
  const { data } = valuesOf(fileOf(header, new Uint8Array(all.buffer)))['all']!
  const formula = (sign: number, exponent: number, fraction: number): number =>
    (-1) ** sign *
    (exponent === 0
      ? 2 ** -14 * (fraction / 1024)
      : exponent === 31
        ? fraction
          ? NaN
          : Infinity
        : 2 ** (exponent - 15) * (1 + fraction / 1024))
  const wrong = [...all].filter((half) => !Object.is(data[half], formula(half >> 15, (half >> 10) & 31, half & 1023)))
  expect(wrong).toEqual([])
})

test('what is written is read again, bit for bit, in its order', () => {
  const tensors = new Map([
    ['model.norm.weight', { sizes: [3], data: Float32Array.of(-0, Math.fround(1e-45), Infinity) }],
    ['empty', { sizes: [2, 0], data: new Float32Array() }],
    ['__proto__', { sizes: [], data: [7] }],
    ['ü "quoted" \\', { sizes: [1, 2], data: Float64Array.of(0.5, 0.25) }],
  ])
  const { tensors: read, metadata } = right(readSafetensors(writeSafetensors(tensors, { step: '60' })))
  expect([...read.keys()]).toEqual([...tensors.keys()])
  for (const [name, { sizes, data }] of tensors) {
    const value = storedValue(read.get(name)!)
    expect(value.sizes).toEqual(sizes)
    expect([...value.data].every((x, i) => Object.is(x, data[i]))).toBe(true)
  }
  expect(metadata).toEqual({ format: 'pt', step: '60' })
})

const x = (shape: readonly number[], data_offsets: readonly unknown[], dtype: unknown = 'F32') => ({ dtype, shape, data_offsets })
const file = (header: unknown, bytes = 8): Uint8Array => fileOf(JSON.stringify(header), new Uint8Array(bytes))

describe('a broken file is refused', () => {
  test.each([
    ['an empty one', new Uint8Array(), { tag: 'truncated', has: 0, needs: 8 }],
    ['less than a length', new Uint8Array(7), { tag: 'truncated', has: 7, needs: 8 }],
    ['a header that is cut', fileOf('{}', undefined, 3n), { tag: 'truncated', has: 10, needs: 11 }],
    ['a header of a gigabyte', fileOf('{}', undefined, 10n ** 9n), { tag: 'headerTooLong', bytes: 1e9, limit: 1e8 }],
    ['a header of 2⁶⁴ bytes', fileOf('{}', undefined, 2n ** 64n - 1n), { tag: 'headerTooLong' }],
    ['a header of nothing', fileOf(''), { tag: 'notJson' }],
    ['a header that is no JSON', fileOf('{"x": '), { tag: 'notJson' }],
    ['a header that is no text', fileOf('{}', undefined).fill(0xff, 8), { tag: 'notJson' }],
    ['deep brackets', fileOf('['.repeat(1e6)), { tag: 'notJson' }],
    ['deep brackets that close', fileOf(`${'['.repeat(1e5)}${']'.repeat(1e5)}`), { tag: 'wrongField', path: '' }],
    ['a header that is a list', fileOf('[]'), { tag: 'wrongField', path: '' }],
    [
      'a name twice',
      fileOf(`{"x": ${JSON.stringify(x([2], [0, 8]))}, "\\u0078": ${JSON.stringify(x([2], [0, 8]))}}`, new Uint8Array(8)),
      { tag: 'duplicateKey', key: 'x' },
    ],
    [
      'a field twice',
      fileOf('{"x": {"dtype": "F32", "dtype": "F16", "shape": [2], "data_offsets": [0, 8]}}', new Uint8Array(8)),
      { tag: 'duplicateKey', key: 'dtype' },
    ],
    ['a field less', file({ x: { dtype: 'F32', shape: [2] } }), { tag: 'wrongField', path: 'x.data_offsets' }],
    ['a field more', file({ x: { ...x([2], [0, 8]), strides: [1] } }), { tag: 'wrongField', path: 'x' }],
    ['three offsets', file({ x: x([2], [0, 4, 8]) }), { tag: 'wrongField', path: 'x.data_offsets' }],
    ['a negative offset', file({ x: x([2], [-8, 0]) }), { tag: 'wrongField', path: 'x.data_offsets.0' }],
    ['half a size', file({ x: x([0.5], [0, 8]) }), { tag: 'wrongField', path: 'x.shape.0' }],
    [
      'a size above 2⁵³',
      fileOf('{"x": {"dtype": "F32", "shape": [1e999], "data_offsets": [0, 8]}}', new Uint8Array(8)),
      { tag: 'wrongField', path: 'x.shape.0' },
    ],
    ['notes that are no text', file({ __metadata__: { step: 3 } }), { tag: 'wrongField', path: '__metadata__.step' }],
    ['a type that is none', file({ x: x([2], [0, 8], 32) }), { tag: 'wrongField', path: 'x.dtype' }],
    ['a type that is not known', file({ x: x([1], [0, 8], 'I64') }), { tag: 'unknownDtype', tensor: 'x', dtype: 'I64' }],
    ['a type that every object has', file({ x: x([1], [0, 8], 'constructor') }), { tag: 'unknownDtype', dtype: 'constructor' }],
    ['data that are cut', file({ x: x([3], [0, 12]) }), { tag: 'outside', tensor: 'x', from: 0, to: 12, end: 8 }],
    ['an end before its start', file({ x: x([2], [8, 0]) }), { tag: 'outside', tensor: 'x', from: 8, to: 0, end: 8 }],
    ['a shape that needs more', file({ x: x([3], [0, 8]) }), { tag: 'wrongSize', tensor: 'x', bytes: 8, needs: 12 }],
    ['a shape that needs more than there are numbers', file({ x: x([2 ** 40, 2 ** 40], [0, 8]) }), { tag: 'wrongSize', bytes: 8 }],
    ['a shape that needs less', file({ x: x([3], [0, 8], 'F16') }), { tag: 'wrongSize', tensor: 'x', bytes: 8, needs: 6 }],
    [
      'two tensors in one place',
      file({ x: x([2], [0, 8]), y: x([1], [4, 8]) }),
      { tag: 'overlap', tensor: 'y', other: 'x', from: 4, to: 8 },
    ],
    ['two tensors in the same place', file({ x: x([2], [0, 8]), y: x([2], [0, 8]) }), { tag: 'overlap', tensor: 'y', other: 'x' }],
    ['bytes of no tensor in front', file({ x: x([1], [4, 8]) }), { tag: 'hole', from: 0, to: 4 }],
    ['bytes of no tensor between two', file({ x: x([1], [0, 4]), y: x([1], [8, 12]) }, 12), { tag: 'hole', from: 4, to: 8 }],
    ['bytes of no tensor behind', file({ x: x([1], [0, 4]) }), { tag: 'hole', from: 4, to: 8 }],
    ['bytes and no tensor', file({}), { tag: 'hole', from: 0, to: 8 }],
  ])('%s', (_what, broken, error) => {
    const read = readSafetensors(broken)
    expect(read).toMatchObject({ _tag: 'Left', left: error })
    if (E.isLeft(read)) expect(renderSafetensorsError(read.left)).toMatch(/^.+\n {2}because: .+\n {2}try: .+$/)
  })
})
