import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type Device, renderRunError } from '../backends/index.js'
import { evaluate } from '../backends/cpu/evaluate.js'
import { plan } from '../compiler/index.js'
import * as d from '../dsl/index.js'

/** What a device made of a self-test. */
export interface SelfTest {
  readonly name: string
  readonly passed: boolean
  /** The greatest |x − y| / (1 + |y|), y being what the reference makes in float64; NaN where there is none. */
  readonly difference: number
  /** Why the device did not run it. */
  readonly because?: string
}

/** What is still taken for rounding. */
export const mostDifference = 1e-5

const inputs = { x: d.f32('row', 'column'), ids: d.i32('column') }

type Inputs = d.TensorsOf<typeof inputs>

const [rows, columns] = [5, 37]

/** Numbers between −2 and 2, the same each time, and places along `row`. */
const given = {
  x: { sizes: [rows, columns], data: Float32Array.from({ length: rows * columns }, (_, i) => 2 * Math.sin(i * i + 1)) },
  ids: { sizes: [columns], data: Int32Array.from({ length: columns }, (_, i) => (i * 7) % rows) },
}

/** One for each kind of kernel. */
const tests: Readonly<Record<string, (inputs: Inputs) => d.AnyTensor>> = {
  functions: ({ x }) => d.add(d.mul(d.exp(x), d.tanh(x)), d.mul(d.log1p(d.abs(x)), d.sin(x))),
  reductions: ({ x }) => d.add(pipe(x, d.sum('column')), pipe(x, d.max('column'))),
  softmax: ({ x }) => pipe(x, d.softmax('column')),
  products: ({ x }) => d.contract('column')(x, pipe(x, d.rename({ row: 'other' }))),
  gather: ({ x, ids }) => pipe(x, d.gather('row')(ids)),
  scatter: ({ x, ids }) => pipe(x, d.sum('row'), d.scatterAdd('row', ids, { size: rows })),
  order: ({ x }) => pipe(x, d.sort('column')),
  recurrence: ({ x }) => pipe(x, d.cumulativeSum('column')),
}

const differenceOf = (made: d.HostTensor, expected: d.HostTensor): number =>
  Math.max(...[...expected.data].map((y, i) => Math.abs((made.data[i] ?? NaN) - y) / (1 + Math.abs(y))))

const runOn = async (device: Device, program: d.Program<typeof inputs, unknown, d.AnyTensor>): Promise<E.Either<string, d.HostTensor>> => {
  const planned = plan(program)
  if (E.isLeft(planned)) return E.left(planned.left.map(d.renderProgramError).join('\n'))
  const loaded = await device.load(planned.right)()
  if (E.isLeft(loaded)) return E.left(renderRunError(loaded.left))
  const made = await loaded.right.run(given)()
  return E.isLeft(made) ? E.left(made.left.map(renderRunError).join('\n')) : E.right(made.right)
}

/** Run each test on a device and compare it with the reference. */
export const selfTest = async (device: Device): Promise<readonly SelfTest[]> => {
  const done: SelfTest[] = []
  for (const [name, make] of Object.entries(tests)) {
    const program = d.program({ inputs, body: (tensors) => ({ outputs: make(tensors) }) })
    const expected = evaluate(program, given)
    const made = await runOn(device, program)
    if (E.isLeft(expected) || E.isLeft(made)) {
      done.push({ name, passed: false, difference: NaN, because: E.isLeft(made) ? made.left : 'the reference has no result' })
      continue
    }
    const difference = differenceOf(made.right, expected.right.outputs)
    done.push({ name, passed: difference <= mostDifference, difference })
  }
  return done
}
