import { afterAll, expect, test } from 'vitest'
import { evaluate } from '../../../../../backends/cpu/evaluate.js'
import { openCpu } from '../../../../../backends/cpu/index.js'
import { nest } from '../../../../../backends/cpu/wasm/emit/nest.js'
import { interpretKernel } from '../../../../../compiler/index.js'
import { argSort, f32, type HostTensor, program, type Value } from '../../../../../dsl/index.js'
import { right } from '../../../../right.js'
import { load, must, planned } from '../../../opened.js'

const devices = [openCpu({ threads: 1, strict: true }), openCpu({ threads: 2, wake: 0 })]
afterAll(async () => {
  for (const device of devices) await device.release()
})

/** Along the axis that lies together in memory, and along the other, both ways. */
const p = program({
  inputs: { x: f32('row', 'column') },
  body: ({ x }) => ({
    outputs: {
      columns: argSort('column')(x),
      columnsDown: argSort('column', 'descending')(x),
      rows: argSort('row')(x),
      rowsDown: argSort('row', 'descending')(x),
    },
  }),
})

/** Many are alike, ±0 and NaN among them. */
const ofFew = (...sizes: readonly [number, number]): Value => ({
  sizes,
  data: Float32Array.from({ length: sizes[0] * sizes[1] }, (_, i) => {
    const n = (i * 7919) % 29
    return n === 3 ? NaN : n === 5 ? -0 : n < 15 ? n : Math.sin(i) * 100
  }),
})

const placesOf = (outputs: unknown): readonly (readonly number[])[] =>
  Object.values(outputs as Readonly<Record<string, HostTensor>>).map(({ data }) => Array.from(data, Number))

test.each([0, 1, 2, 3, 31, 32, 33, 968, 50_257])('rows and columns of %i are in the order that the reference has', async (n) => {
  for (const x of [ofFew(2, n), ofFew(n, 3)]) {
    const expected = placesOf(right(evaluate(p, { x })).outputs)
    for (const device of devices) expect(placesOf(await must((await load(device, p)).run({ x })))).toEqual(expected)
  }
})

test.each([1, 2, 33, 100])('a row of %i is written once, and once for each time that its runs become twice as long', (n) => {
  const row = program({ inputs: { x: f32('place') }, body: ({ x }) => ({ outputs: { y: argSort('place')(x) } }) })
  const { kernels, commands } = planned(row)
  const [kernel, command] = [kernels[0]!, commands[0]!]
  const { body } = nest(kernel, command.tag === 'copy' ? [] : [command.parameters], false)
  let stores = 0
  const scratch = new Proxy(new Uint32Array(4 * (n + 1)), {
    get: (target, key) => Reflect.get(target, key) as number,
    set: (target, key, value) => {
      stores += 1
      return Reflect.set(target, key, value)
    },
  })
  const [y, x] = [new Int32Array(n), Float32Array.from({ length: n }, (_, i) => Math.sin(i))]
  interpretKernel({ ...kernel, space: [], body }, [y, x, scratch], [n, 0, 1])
  expect(Array.from(y, (place) => x[place])).toEqual([...x].toSorted((a, b) => a - b))
  expect(stores).toBe(2 * n * (1 + Math.ceil(Math.log2(n))))
})
