import { expect, test } from 'vitest'
import { evaluate } from '../../backends/cpu/evaluate.js'
import { f32, nested, program } from '../../dsl/index.js'
import { cosine, sine } from '../../models/sine.js'
import { right } from '../right.js'

const both = program({ inputs: { x: f32('i') }, body: ({ x }) => ({ outputs: { sin: sine(x), cos: cosine(x) } }) })

const angles = Array.from({ length: 4001 }, (_, i) => (i - 2000) / 20)

test('sine and cosine are within 10⁻⁷ of the true ones', () => {
  const { sin, cos } = right(evaluate(both, { x: nested(angles) })).outputs
  const error = Math.max(...angles.map((x, i) => Math.max(Math.abs(sin.data[i]! - Math.sin(x)), Math.abs(cos.data[i]! - Math.cos(x)))))
  expect(error).toBeLessThan(1e-7)
})

test('in float32, at angles up to 100, within 2·10⁻⁵', () => {
  const { sin } = right(evaluate(both, { x: nested(angles) }, {}, { precision: 'f32' })).outputs
  expect(Math.max(...angles.map((x, i) => Math.abs(sin.data[i]! - Math.sin(Math.fround(x)))))).toBeLessThan(2e-5)
})
