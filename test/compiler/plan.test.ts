import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { describe, expect, test } from 'vitest'
import { evaluate } from '../../backends/cpu/evaluate.js'
import { baseline, interpret, type Plan, plan, printKernel } from '../../compiler/index.js'
import {
  add,
  build,
  exp,
  f32,
  type GivenFor,
  mul,
  nested,
  program,
  type Program,
  type ProgramError,
  rename,
  sizeOf,
  slice,
  type Spec,
  sub,
  sum,
  type Tensor,
} from '../../dsl/index.js'
import { right } from '../right.js'

const planned = <I, S, O>(p: Program<I, S, O>): Plan<I, S, O> => right(plan(p))

const errorsOf = (p: Program<unknown, unknown, unknown>): readonly ProgramError[] =>
  pipe(
    plan(p),
    E.swap,
    E.getOrElse((): readonly ProgramError[] => []),
  )

const stateAfter = <I, S, O>(p: Program<I, S, O>, inputs: GivenFor<I>, state: GivenFor<S>): unknown =>
  pipe(
    interpret(planned(p))(inputs, state),
    E.map(({ state: next }) => next),
  )

describe('a plan', () => {
  test('names every error of a program at once', () => {
    const p = program({
      inputs: { x: f32('batch', 'time'), y: f32('batch', 'time') },
      body: ({ x, y }) => ({
        outputs: {
          shifted: sub(x, pipe(y, slice('time', { from: 1 }))),
          clash: build.rename({ time: 'batch' })(x),
          free: build.broadcastTo([{ name: 'group', size: sizeOf('group') }])(build.constant(1)),
        },
      }),
    })
    expect(errorsOf(p).map(({ tag }) => tag)).toEqual(['sizesDiffer', 'axisExists', 'sizeNeverBound'])
  })

  test('keeps every kernel within the storage buffers of a device', () => {
    const names = Array.from({ length: 20 }, (_, i) => `x${String(i)}`)
    const p = program({
      inputs: Object.fromEntries(names.map((name) => [name, f32('row')])),
      body: (inputs) => ({ outputs: { total: Object.values(inputs).reduce((x, y) => mul(exp(x), y)) } }),
    })
    for (const storageBuffers of [4, 8]) {
      const made = pipe(plan(p, { ...baseline, storageBuffers }), E.toUnion) as Plan
      expect(Math.max(...made.kernels.map(({ buffers }) => buffers.length))).toBeLessThanOrEqual(storageBuffers)
    }
  })

  test('stores what is small where a kernel would have too many buffers', () => {
    const small = ['a', 'b', 'c', 'd', 'e'] as const
    const p = program({
      inputs: {
        ...(Object.fromEntries(small.map((name) => [name, f32('row')])) as Record<(typeof small)[number], Spec<'row', 'f32'>>),
        w: f32('row', 'column'), x: f32('row', 'column'), y: f32('row', 'column'), z: f32('row', 'column'),
      },
      body: ({ w, x, y, z, ...rows }) => ({
        outputs: { sum: add(mul(mul(w, x), y), mul(z, small.map((name) => rows[name]).reduce((all, row) => mul(all, row)))) },
      }),
    }) // prettier-ignore
    const { buffers, outputs } = planned(p)
    const made = buffers.filter(({ role }, i) => role.tag === 'made' && outputs.every(({ buffer }) => buffer !== i))
    expect(made.map(({ elements }) => elements.text)).toEqual(['row'])
  })

  test('makes two learning rates one kernel', () => {
    const scaled = (rate: number) => (x: Tensor<'row'>) => sub(x, mul(x, rate))
    const p = program({
      inputs: { x: f32('row'), y: f32('row') },
      body: ({ x, y }) => ({ outputs: { a: scaled(0.1)(x), b: scaled(0.2)(y) } }),
    })
    expect(planned(p).kernels).toHaveLength(1)
    expect(planned(p).commands).toHaveLength(2)
  })

  test('plans a chain of 100,000 nodes', () => {
    const p = program({
      inputs: { x: f32('row') },
      body: ({ x }) => ({ outputs: { y: Array.from({ length: 100_000 }).reduce<Tensor<'row'>>((y) => add(y, 1), x) } }),
    })
    const made = pipe(interpret(planned(p))({ x: nested([0, 1]) }), E.toUnion)
    expect(made).toMatchObject({ outputs: { y: { data: new Float32Array([100_000, 100_001]) } } })
  })
})

describe('a state', () => {
  test('is replaced where it lies when its own kernel reads it last', () => {
    const p = program({
      inputs: { g: f32('row') },
      state: { w: f32('row') },
      body: ({ g }, { w }) => ({ outputs: { norm: pipe(mul(w, w), sum('row')) }, state: { w: sub(w, g) } }),
    })
    const { commands, buffers } = planned(p)
    expect(commands.map(({ tag }) => tag)).toEqual(['dispatch', 'dispatch'])
    expect(buffers.filter(({ role }) => role.tag === 'made')).toHaveLength(1)
  })

  test('is copied at the end when something reads it after its own kernel, or at other places', () => {
    const p = program({
      inputs: {},
      state: { a: f32('row'), b: f32('row') },
      body: (_, { a, b }) => ({ outputs: {}, state: { a: b, b: a } }),
    })
    expect(stateAfter(p, {}, { a: nested([1, 2]), b: nested([3, 4]) })).toMatchObject({
      right: { a: { data: new Float32Array([3, 4]) }, b: { data: new Float32Array([1, 2]) } },
    })
    const q = program({
      inputs: {},
      state: { m: f32({ i: 2, j: 2 }) },
      body: (_, { m }) => ({
        outputs: {},
        state: { m: pipe(m, rename({ i: 'k' }), rename({ j: 'i' }), rename({ k: 'j' })) },
      }),
    })
    expect(stateAfter(q, {}, { m: nested([[1, 2], [3, 4]]) })).toMatchObject({ right: { m: { data: new Float32Array([1, 3, 2, 4]) } } }) // prettier-ignore
  })

  test('is exchanged with another where both lie', () => {
    const p = program({
      inputs: { x: f32('row') },
      state: { a: f32('row'), b: f32('row') },
      body: ({ x }, { a, b }) => ({ outputs: {}, state: { a: add(b, x), b: add(a, x) } }),
    })
    expect(planned(p).commands.map(({ tag }) => tag)).toEqual(['dispatch'])
    expect(stateAfter(p, { x: nested([1, 1]) }, { a: nested([1, 2]), b: nested([3, 4]) })).toMatchObject({
      right: { a: { data: new Float32Array([4, 5]) }, b: { data: new Float32Array([2, 3]) } },
    })
  })

  test('that nothing reads is replaced all the same', () => {
    const p = program({
      inputs: { x: f32('row') },
      state: { last: f32('row') },
      body: ({ x }) => ({ outputs: {}, state: { last: exp(x) } }),
    })
    expect(stateAfter(p, { x: nested([0]) }, { last: nested([9]) })).toMatchObject({ right: { last: { data: new Float32Array([1]) } } })
  })

  test('that is an output too shows its old value', () => {
    const p = program({
      inputs: {},
      state: { n: f32() },
      body: (_, { n }) => ({ outputs: { old: n }, state: { n: add(n, 1) } }),
    })
    const made = pipe(interpret(planned(p))({}, { n: 4 }), E.toUnion)
    expect(made).toMatchObject({ outputs: { old: { data: new Float32Array([4]) } }, state: { n: { data: new Float32Array([5]) } } })
    expect(pipe(evaluate(p, {}, { n: 4 }), E.toUnion)).toMatchObject({ outputs: { old: { data: new Float64Array([4]) } } })
  })
})

test('a kernel reads as text', () => {
  const p = program({
    inputs: { x: f32('batch', 'time'), scale: f32('batch') },
    body: ({ x, scale }) => ({ outputs: { y: pipe(exp(mul(mul(x, scale), 0.5)), sum('time')) } }),
  })
  expect(planned(p).kernels.map(printKernel).join('\n')).toMatchInlineSnapshot(`
    "kernel sum_0(b0: write f32[], b1: read f32[], b2: read f32[], p0: i32, p1: i32, p2: f32)
      parallel i0 < p0
      var acc: f32 = 0.0
      let t0: i32 = (i0 * p1)
      let t1: f32 = b2[i0]
      for i1 < p1
        acc = (acc + exp(((b1[(t0 + i1)] * t1) * p2)))
      b0[i0] = acc"
  `)
})
