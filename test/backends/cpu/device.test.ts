import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { afterAll, expect, test } from 'vitest'
import { openCpu } from '../../../backends/cpu/index.js'
import { interpret, plan, type Plan } from '../../../compiler/index.js'
import {
  contract,
  f32,
  gather,
  type GivenFor,
  i32,
  pad,
  program,
  type Program,
  scatterAdd,
  sizeOf,
  slice,
  sum,
  type Value,
} from '../../../dsl/index.js'

const device = openCpu()
afterAll(device.release)

const right = <Err, A>(either: E.Either<Err, A>): A => {
  if (E.isLeft(either)) throw new Error(JSON.stringify(either.left))
  return either.right
}

const planned = <I, S, O>(p: Program<I, S, O>): Plan<I, S, O> => right(plan(p))

/** sin 1, sin 2, …: no two alike, of both signs. */
const some = (...sizes: readonly number[]): Value => ({
  sizes,
  data: Float32Array.from({ length: sizes.reduce((p, q) => p * q, 1) }, (_, i) => Math.sin(i + 1)),
})

const runs = async <I, S, O>(p: Program<I, S, O>, inputs: GivenFor<I>): Promise<void> => {
  const made = planned(p)
  const loaded = right(await device.load(made)())
  const got = right(await loaded.run(inputs)())
  expect(got).toEqual(right(interpret(made)(inputs, {} as GivenFor<S>)).outputs)
}

test('a contraction, a gather and its transpose, a slice and its transpose, give what the interpreter gives', async () => {
  const p = program({
    inputs: { x: f32('batch', 'time'), w: f32({ time: 7, out: 5 }), ids: i32('batch') },
    body: ({ x, w, ids }) => ({
      outputs: {
        product: contract('time')(x, w),
        picked: pipe(x, gather('time')(ids)),
        summed: pipe(x, scatterAdd('group', ids, { size: 8 })),
        moved: pipe(x, slice('time', { from: 1, step: 2 }), pad('time', { before: 2, after: sizeOf('batch') })),
        total: pipe(x, sum('batch', 'time')),
      },
    }),
  })
  await runs(p, { x: some(3, 7), w: some(7, 5), ids: { sizes: [3], data: [6, 0, 6] } })
})
