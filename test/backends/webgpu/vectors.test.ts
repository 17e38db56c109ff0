import { expect, test } from 'vitest'
import { scheduled, wgslTexts } from '../../../backends/webgpu/index.js'
import type { Plan } from '../../../compiler/index.js'
import { add, f32, less, mul, program, sizeOf, softmax } from '../../../dsl/index.js'
import { agreeing, load, must, planned, some } from '../opened.js'
import { openedForAll } from './opened.js'

const opened = openedForAll()

const textOf = (plan: Plan): string => wgslTexts(scheduled(plan)).join('\n')

const update = program({
  inputs: { g: f32('i') },
  state: { x: f32('i') },
  body: ({ g }, { x }) => ({ outputs: { isLess: less(x, g) }, state: { x: add(mul(x, 0.5), g) } }),
})

test.each([1, 4, 7, 258])(
  'what is replaced in place, of any size, here %i, is read and written in vectors, the last of them whole',
  async (size) => {
    const text = textOf(planned(update))
    expect(text.match(/array<vec4<(f32|u32)>>/g)).toHaveLength(3)
    expect(text.match(/ = vec4</g)).toHaveLength(2)
    const [x, g] = [Float32Array.from(some(size).data), Float32Array.from(some(size).data).toReversed()]
    const held = await must(opened().hold('f32', { sizes: [size], data: x }))
    const loaded = await load(opened(), update)
    const { isLess } = await must(loaded.run({ g: { sizes: [size], data: g } }, { x: held }))
    expect([...(await must(opened().read(held))).data]).toEqual([...x].map((value, i) => Math.fround(value / 2 + g[i]!)))
    expect([...isLess.data].map(Boolean)).toEqual([...x].map((value, i) => value < g[i]!))
    opened().drop(held)
  },
)

const rows = program({
  inputs: { x: f32({ row: sizeOf('row'), column: 12 }) },
  body: ({ x }) => ({ outputs: { p: softmax('column')(x) } }),
})

test('rows of whole fours are read and written in vectors, others number by number', async () => {
  expect(textOf(planned(rows)).match(/\bvec4<f32>\(/g)).toHaveLength(2) // exponentials, and the shares in their place
  const others = program({ inputs: { x: f32('row', 'column') }, body: ({ x }) => ({ outputs: { p: softmax('column')(x) } }) })
  expect(textOf(planned(others))).not.toContain('vec4<f32>')
  await agreeing(rows, await load(opened(), rows), { x: some(5, 12) })
})
