import { expect, test } from 'vitest'
import { answerValues, nextTokens } from '../../training/index.js'

const sequences = [
  { prompt: [5, 7, 9], answer: [1, 2, 0] },
  { prompt: [6, 8, 9], answer: [3, 0] },
]

test('each target is the token after, and the mask is true where it is of an answer', () =>
  expect(nextTokens(sequences, 99)).toEqual({
    tokens: { sizes: [2, 5], data: Int32Array.of(5, 7, 9, 1, 2, 6, 8, 9, 3, 0) },
    targets: { sizes: [2, 5], data: Int32Array.of(7, 9, 1, 2, 0, 8, 9, 3, 0, 99) },
    responseMask: { sizes: [2, 5], data: Int32Array.of(0, 0, 1, 1, 1, 0, 0, 1, 1, 0) },
  }))

test('what is known of the tokens of an answer lies where they are targets', () =>
  expect(
    answerValues(sequences, [
      [-1, -2, -3],
      [-4, -5],
    ]),
  ).toEqual({
    sizes: [2, 5],
    data: Float32Array.of(0, 0, -1, -2, -3, 0, 0, -4, -5, 0),
  }))
