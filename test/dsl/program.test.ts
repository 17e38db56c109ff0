import { inspect } from 'node:util'
import { pipe } from 'fp-ts/lib/function.js'
import { expect, test } from 'vitest'
import {
  add,
  type AnyTensor,
  build,
  exp,
  f32,
  givenLeaves,
  graphErrors,
  i32,
  isTensor,
  leaves,
  madeLeaves,
  mapTree,
  max,
  mul,
  neg,
  printProgram,
  program,
  rootsOf,
  sizeOf,
  stopGradient,
  sub,
  sum,
  type Tensor,
  topological,
} from '../../dsl/index.js'
import { here } from './here.js'

const inputs = { x: f32('batch', 'time'), y: f32('batch') }

test('all errors of a program are told at once, each with its line', () => {
  const lines: number[] = []
  const p = program({
    inputs,
    body: ({ x, y }) => {
      const axis = 'tiem' as 'time'
      const first = (lines.push(here().line), pipe(x, sum(axis)))
      const second = (lines.push(here().line), build.binary('add')(first, build.map('toI32', y)))
      const third = (lines.push(here().line), build.sum('vocab')(x))
      return { outputs: { second, third } }
    },
  })
  expect(graphErrors(p).map(({ tag, at }) => [tag, at.line])).toEqual(
    ['noSuchAxis', 'typesDoNotFit', 'noSuchAxis'].map((tag, i) => [tag, lines[i]]),
  )
})

test('two wrong lines that are alike are two reports', () => {
  const p = program({ inputs, body: ({ x }) => ({ outputs: { a: build.sum('vocab')(x), b: build.sum('vocab')(x) } }) })
  expect(graphErrors(p)).toHaveLength(2)
})

test('equal expressions are one node, and those that differ are not', () => {
  const { a, b, c, d } = program({
    inputs,
    body: ({ x, y }) => ({ outputs: { a: mul(exp(x), y), b: mul(exp(x), y), c: mul(exp(x), 0), d: mul(exp(x), -0) } }),
  }).outputs
  expect(b.node).toBe(a.node)
  expect(new Set([a, c, d].map(({ node }) => node)).size).toBe(3)
})

test('equal stops of different lines are one node', () => {
  const { a, b } = program({
    inputs,
    body: ({ x }) => ({
      outputs: {
        a: stopGradient(x),
        b: stopGradient(x),
      },
    }),
  }).outputs
  expect(b.node).toBe(a.node)
})

test('a program prints as what it is given, its graph and what it makes', () => {
  const make = () =>
    program({
      inputs,
      state: { total: f32('time') },
      body: ({ x, y }, { total }) => ({
        outputs: { greatest: pipe(sub(x, y), max('time')) },
        state: { total: add(total, pipe(x, sum('batch'))) },
      }),
    })
  expect(printProgram(make())).toMatchInlineSnapshot(`
    "inputs.x: f32[batch: batch, time: time]
    inputs.y: f32[batch: batch]
    state.total: f32[time: time]
    %0 = input(inputs.x) : f32[batch: batch, time: time]
    %1 = input(inputs.y) : f32[batch: batch]
    %2 = sub %0 %1 : f32[batch: batch, time: time]
    %3 = max(time) %2 : f32[batch: batch]
    %4 = input(state.total) : f32[time: time]
    %5 = sum(batch) %0 : f32[time: time]
    %6 = add %4 %5 : f32[time: time]
    outputs.greatest = %3
    state.total = %6"
  `)
  expect(printProgram(make())).toBe(printProgram(make()))
})

test('a state keeps the axis order of its spec, and its place in the tree', () => {
  const p = program({
    inputs,
    state: { b: f32('batch', 'time'), a: [f32('time')] },
    body: ({ x }, { a: [first], b }) => ({
      outputs: {},
      state: { a: [neg(first)], b: pipe(add(b, x), (z) => build.broadcastTo([...z.axes].toReversed())(z)) as Tensor<'batch' | 'time'> },
    }),
  })
  expect(madeLeaves(p).map(({ path, value }) => [path, value.axes.map(({ name }) => name)])).toEqual([
    ['state.b', ['batch', 'time']],
    ['state.a.0', ['time']],
  ])
})

test('a state that is not given back, or of another type, is an error', () => {
  const p = program({
    inputs,
    state: { kept: f32('batch'), typed: f32('batch') },
    body: ({ y }) => ({ outputs: {}, state: { typed: build.map('toI32', y) } as never }),
  })
  expect(graphErrors(p)).toMatchObject([
    { tag: 'axesDiffer', op: `state 'kept'`, expected: ['batch'], given: [] },
    { tag: 'typesDoNotFit', op: `state 'typed'`, takes: 'f32', given: ['i32'] },
  ])
})

test('trees nest as the user likes, and keep the order in which they were written', () => {
  const p = program({
    inputs: { z: { ids: i32('batch') }, layers: [{ w: f32('embed') }, { w: f32('embed') }] },
    body: ({ layers, z }) => ({ outputs: { sums: layers.map(({ w }) => pipe(w, sum('embed'))), z } }),
  })
  expect(givenLeaves(p).map(({ path }) => path)).toEqual(['inputs.z.ids', 'inputs.layers.0.w', 'inputs.layers.1.w'])
  expect(madeLeaves(p).map(({ path }) => path)).toEqual(['outputs.sums.0', 'outputs.sums.1', 'outputs.z.ids'])
})

test('a tree maps to a tree of its own shape', () => {
  const isNumber = (x: unknown): x is number => typeof x === 'number'
  expect(mapTree(isNumber)((x, path) => `${path} ${String(x)}`)({ a: [1, { b: 2 }], c: 'kept' })).toEqual({
    a: ['a.0 1', { b: 'a.1.b 2' }],
    c: 'kept',
  })
  expect(leaves(isNumber)(7)).toEqual([{ path: '', value: 7 }])
})

test('a tensor is one line to inspect and in JSON', () => {
  const x: AnyTensor = build.input('inputs.x', 'f32', [{ name: 'batch', size: sizeOf('batch') }])
  const y = exp(exp(x as Tensor<'batch'>))
  expect(inspect({ y }, { depth: 9 })).toBe('{ y: exp f32[batch: batch] }')
  expect(JSON.stringify([x, y])).toBe('["input(inputs.x) f32[batch: batch]","exp f32[batch: batch]"]')
  expect([x, y].every(isTensor)).toBe(true)
})

test('a chain of 10⁵ operations is built, made a program, walked and printed', () => {
  const length = 100_000
  const chain = (x: Tensor<'batch'>): Tensor<'batch'> => Array.from({ length }).reduce<Tensor<'batch'>>((y) => neg(y), x)
  const p = program({ inputs: { x: f32('batch') }, body: ({ x }) => ({ outputs: { y: chain(x) } }) })
  expect(topological(rootsOf(p))).toHaveLength(length + 1)
  expect(printProgram(p).split('\n')).toHaveLength(length + 3)
})
