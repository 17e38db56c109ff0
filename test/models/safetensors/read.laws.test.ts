import * as E from 'fp-ts/lib/Either.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countOf } from '../../../dsl/index.js'
import { readSafetensors, renderSafetensorsError, storedValue, writeSafetensors } from '../../../models/index.js'
import { law } from '../../law.js'
import { fileOf, joined } from './files.js'

const tensors = new Map([
  ['model.embed_tokens.weight', { sizes: [3, 2], data: [1, 2, 3, 4, 5, 6] }],
  ['model.norm.weight', { sizes: [2], data: [7, 8] }],
  ['lm_head.weight', { sizes: [], data: [9] }],
])
const whole = writeSafetensors(tensors, { step: '1' })
const headerEnd = 8 + Number(new DataView(whole.buffer, whole.byteOffset).getBigUint64(0, true))
const header = new TextDecoder().decode(whole.subarray(8, headerEnd))
const data = whole.subarray(headerEnd)

const anyNumber = fc.oneof(
  fc.integer({ min: -4, max: 48 }),
  fc.constantFrom(2 ** 31, 2 ** 32, 2 ** 53, 2 ** 53 - 1, 1e308, 0.5, -0, '1e999', '"4"', 'null', '[]'),
)
const anyWord = fc.constantFrom('"F16"', '"BF16"', '"F64"', '"shape"', '"model.norm.weight"', '"__metadata__"', '""', '{}', '[1]')

/** A number or a word of a header for another. */
const anyText = fc.tuple(fc.nat(), fc.boolean(), anyNumber, anyWord).map(([which, isNumber, number, word]) => (text: string): string => {
  const places = [...text.matchAll(isNumber ? /\d+/g : /"[^"]*"/g)]
  const place = places[which % places.length]
  return place === undefined
    ? text
    : text.slice(0, place.index) + String(isNumber ? number : word) + text.slice(place.index + place[0].length)
})

/** One tensor described as another is. */
const anyTwin = fc.tuple(fc.nat({ max: 2 }), fc.nat({ max: 2 })).map(([one, other]) => (text: string): string => {
  const entries = text.match(/\{"dtype[^}]*\}/g) ?? []
  return text.replace(entries[one] ?? text, entries[other] ?? text)
})

const anyHeader = fc
  .array(fc.oneof(anyText, anyTwin), { minLength: 1, maxLength: 3 })
  .map((changes) => changes.reduce((text, change) => change(text), header))

type Change = (file: Uint8Array) => Uint8Array

const anyChange: fc.Arbitrary<Change> = fc.oneof(
  anyHeader.map((text): Change => () => fileOf(text, data)),
  fc.nat({ max: whole.length }).map((length): Change => (file) => file.subarray(0, length)),
  fc.tuple(fc.nat(), fc.nat({ max: 255 })).map(([at, byte]): Change => (file) => file.map((old, i) => (i === at % file.length ? byte : old))),
  fc.tuple(fc.nat(), fc.nat({ max: 7 })).map(([at, bit]): Change => (file) => file.map((byte, i) => (i === at % file.length ? byte ^ (1 << bit) : byte))),
  fc.tuple(fc.nat({ max: whole.length }), fc.uint8Array({ maxLength: 9 })).map(([at, bytes]): Change => (file) => joined(file.subarray(0, at), bytes, file.subarray(at))),
  fc.tuple(fc.nat({ max: whole.length }), fc.nat({ max: 40 })).map(([at, count]): Change => (file) => joined(file.subarray(0, at), file.subarray(at + count))),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((length): Change => () => fileOf(header, data, length)),
) // prettier-ignore

const anyFile = fc
  .array(anyChange, { minLength: 1, maxLength: 3 })
  .map((changes) => changes.reduce((file, change) => Uint8Array.from(change(file)), Uint8Array.from(whole)))

law(
  'a changed file is refused with a reason, or read into tensors that share its bytes and no more',
  fc.property(anyFile, (file) => {
    const before = process.memoryUsage().arrayBuffers
    const read = readSafetensors(file)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThanOrEqual(file.length)
    if (E.isLeft(read)) {
      expect(renderSafetensorsError(read.left)).toMatch(/^.*\n {2}because: [^]+\n {2}try: .+$/)
      return
    }
    const stored = [...read.right.tensors.values()]
    expect(stored.every(({ bytes }) => bytes.buffer === file.buffer)).toBe(true)
    expect(stored.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeLessThanOrEqual(file.length)
    for (const tensor of stored) expect(storedValue(tensor).data).toHaveLength(countOf(tensor.shape))
  }),
  { runs: 2000 },
)

test('of the changes of that law some are read and some are refused, for every reason', () => {
  const reads = fc.sample(anyFile, { numRuns: 4000, seed: 1 }).map(readSafetensors)
  const tags = new Set(reads.map((read) => (E.isLeft(read) ? read.left.tag : 'read')))
  expect([...tags].sort()).toEqual([
    'duplicateKey',
    'headerTooLong',
    'hole',
    'notJson',
    'outside',
    'overlap',
    'read',
    'truncated',
    'unknownDtype',
    'wrongField',
    'wrongSize',
  ])
})
