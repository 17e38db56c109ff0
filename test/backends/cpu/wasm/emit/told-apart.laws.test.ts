import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { openCpu } from '../../../../../backends/cpu/index.js'
import { toldApart } from '../../../../../backends/cpu/wasm/emit/told-apart.js'
import { inFull, interpret, type Kernel, type Loop, type Plan, type Statement } from '../../../../../compiler/index.js'
import { add, exp, f32, iota, less, lessEqual, maskedSoftmax, max, program, select, sizeAlong, sub, sum, type Tensor, where } from '../../../../../dsl/index.js' // prettier-ignore
import { placesBeside } from '../../../../../dsl/places.js'
import { law } from '../../../../law.js'
import { right } from '../../../../right.js'
import { agreeing, load, planned, some } from '../../../opened.js'

const devices = [openCpu({ threads: 1, strict: true }), openCpu({ threads: 2, wake: 0 })]
afterAll(async () => {
  for (const device of devices) await device.release()
})

/** What a query makes of the keys before, up to, from and behind its place, of those so far behind it that there may be none, and up to the last number. */
const p = program({
  inputs: { x: f32('query', 'key') },
  body: ({ x }) => {
    const query = iota('query', sizeAlong('query')(x))
    const key = pipe(query, placesBeside('key', sizeAlong('key')(x)))
    const of = (seen: Tensor<'query' | 'key', 'bool'>) => ({
      shares: pipe(x, maskedSoftmax(seen, 'key')),
      sum: pipe(x, where(seen), exp, sum('key')),
      most: pipe(select(seen, sub(x, 1), -2), max('key')),
    })
    return {
      outputs: {
        before: of(less(key, query)),
        upTo: of(lessEqual(key, query)),
        from: of(lessEqual(query, key)),
        behind: of(less(query, key)),
        far: of(less(add(query, 5), key)),
        atTheEnd: of(lessEqual(key, add(query, 2 ** 31 - 1))),
      },
    }
  },
})

const apart = (kernel: Kernel): Kernel => ({ ...kernel, body: toldApart(inFull(kernel), 100) })

const apartPlan = <I, S, O>(plan: Plan<I, S, O>): Plan<I, S, O> => ({ ...plan, kernels: plan.kernels.map(apart) })

const text = (outputs: unknown): string =>
  JSON.stringify(outputs, (_, value: unknown) =>
    ArrayBuffer.isView(value) ? [...(value as Float32Array)].map((x) => (Object.is(x, -0) ? '-0' : String(x))) : value,
  )

law(
  'loops that are told apart have the bits of those that choose, and modules are within the bound of the reference',
  fc.asyncProperty(fc.nat({ max: 9 }), fc.nat({ max: 40 }), async (queries, keys) => {
    const inputs = { x: some(queries, keys) }
    expect(text(right(interpret(apartPlan(planned(p)))(inputs)).outputs)).toBe(text(right(interpret(planned(p))(inputs)).outputs))
    for (const device of devices) await agreeing(p, await load(device, p), inputs)
  }),
  { runs: 30 },
)

const loopsIn = (body: readonly Statement[]): readonly Loop[] => body.flatMap((s) => (s.tag === 'for' ? [s.loop, ...loopsIn(s.body)] : []))

test('each loop of a causal softmax over keys is two, and its exponentials are of what is seen', () => {
  const causal = program({
    inputs: { x: f32('query', 'key') },
    body: ({ x }) => {
      const query = iota('query', sizeAlong('query')(x))
      const seen = lessEqual(pipe(query, placesBeside('key', sizeAlong('key')(x))), query)
      return { outputs: { shares: pipe(x, maskedSoftmax(seen, 'key')) } }
    },
  })
  const [kernel] = planned(causal).kernels
  expect(loopsIn(inFull(kernel!))).toHaveLength(3)
  expect(loopsIn(toldApart(inFull(kernel!), 100))).toHaveLength(6)
})
