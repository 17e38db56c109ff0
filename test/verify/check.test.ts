import { pipe } from 'fp-ts/lib/function.js'
import { describe, expect, test } from 'vitest'
import {
  abs,
  add,
  bool,
  defineLoss,
  exp,
  extent,
  f32,
  gather,
  i32,
  maximum,
  mul,
  type Scalar,
  sizeOf,
  slice,
  stopGradient,
  sum,
  toF32,
  where,
} from '../../dsl/index.js'
import { checkGradient, renderReport } from '../../verify/index.js'
import { crossEntropy, regression, surrogate, undefinedBelowZero } from './losses.js'

describe('a right gradient passes', () => {
  test.each([surrogate, crossEntropy, regression].map((loss) => [loss.name, loss] as const))('%s', (_, loss) => {
    const report = checkGradient(loss as never, { runs: 40 })

    expect(report.failure).toBeUndefined()
    expect(report.runs).toBe(40)
    for (const { input, compared } of report.inputs) expect([input, compared > 20]).toEqual([input, true])
  })

  test('ties and clip bounds are left out as kinks and counted', () => {
    const corner = defineLoss({
      name: 'corner',
      inputs: { x: f32('time'), y: f32('time') },
      loss: ({ x, y }) => pipe(maximum(abs(x), y), sum('time')),
    })
    const { failure, inputs } = checkGradient(corner, { runs: 100 })

    expect(failure).toBeUndefined()
    expect(inputs.every(({ kinks, compared }) => kinks > 0 && compared > kinks)).toBe(true)
  })

  test('a straight-through estimator passes: what is stopped is held', () => {
    const straight = defineLoss({
      name: 'straight through',
      inputs: { x: f32('time') },
      loss: ({ x }) => pipe(mul(add(x, stopGradient(exp(x))), stopGradient(x)), sum('time')),
    })

    expect(checkGradient(straight, { runs: 30 }).failure).toBeUndefined()
  })

  test('sizes are chosen such that a slice fits, ids such that they lie inside', () => {
    const later = defineLoss({
      name: 'later',
      inputs: { x: f32('time'), ids: i32('time') },
      loss: ({ x, ids }) => pipe(mul(pipe(x, slice('time', { from: 6 })), toF32(pipe(ids, slice('time', { from: 6 })))), sum('time')),
    })

    expect(checkGradient(later, { runs: 10 }).failure).toBeUndefined()
  })
})

describe('what cannot be compared says why', () => {
  test('a value that is no number, with the smallest input that shows it', () => {
    const report = checkGradient(undefinedBelowZero)

    expect(report.failure).toMatchObject({ tag: 'notFinite', what: 'the loss' })
    expect(renderReport(report)).toContain('the loss is NaN')
    expect(checkGradient(undefinedBelowZero, { runs: 30, ranges: { x: [1.5, 2] } }).failure).toBeUndefined()
  })

  test('a loss that is no scalar', () => {
    const perToken = defineLoss({ name: 'per token', inputs: { x: f32('time') }, loss: ({ x }) => x as unknown as Scalar })

    expect(checkGradient(perToken).failure).toEqual({ tag: 'notScalar', dtype: 'f32', axes: ['time'] })
  })

  test('all that is wrong with the graph, at once', () => {
    const wrong = defineLoss({
      name: 'wrong',
      inputs: { x: f32('time'), y: f32('batch') },
      loss: ({ x, y }) => pipe(mul(x, y as unknown as typeof x), sum('tim' as 'time')),
    })
    const { failure } = checkGradient(wrong)

    expect(failure?.tag === 'badGraph' && failure.errors.map(({ tag }) => tag)).toEqual(['axesDoNotNest', 'noSuchAxis'])
  })

  test('a size that no input binds', () => {
    const unbound = defineLoss({
      name: 'unbound',
      inputs: { x: f32('time') },
      loss: ({ x }) => mul(pipe(x, sum('time')), toF32(extent(sizeOf('tiem')))),
    })
    expect(checkGradient(unbound).failure).toMatchObject({ tag: 'badGraph', errors: [{ tag: 'sizeNeverBound', variable: 'tiem' }] })
  })

  test.each([
    ['x', [0, Infinity], 'finite'],
    ['x', [2, 1], 'lower one first'],
    ['ids', [0.5, 2], 'whole numbers'],
    ['ids', [-5, 2], 'first place is 0'],
    ['ids', [0, 100], 'last place is at most'],
    ['mask', [0, 1], '0 and 1'],
    ['y', [0, 1], "it has 'x', 'ids', 'mask'"],
  ] as const)('a range of %s that no value could come from: %j', (input, range, says) => {
    const chosen = defineLoss({
      name: 'chosen',
      inputs: { x: f32('time'), ids: i32('row'), mask: bool('row') },
      loss: ({ x, ids, mask }) => pipe(x, gather('time')(ids), where(mask), sum('row')),
    })
    const report = checkGradient(chosen, { ranges: { [input]: range } })
    expect(report.failure).toMatchObject({ tag: 'badRange', input, because: expect.stringContaining(says) as string })
    expect(renderReport(report)).toContain('because:')
  })

  test('a range too wide to count is sampled all the same', () => {
    const linear = defineLoss({ name: 'linear', inputs: { x: f32() }, loss: ({ x }) => mul(x, 2) })
    expect(checkGradient(linear, { runs: 5, ranges: { x: [1e300, 1e301] } }).runs).toBeGreaterThan(0)
  })

  test('sizes that no choice meets', () => {
    const long = defineLoss({
      name: 'long',
      inputs: { x: f32('time') },
      loss: ({ x }) => pipe(x, slice('time', { from: 100 }), sum('time')),
    })

    expect(checkGradient(long).failure).toMatchObject({ tag: 'noSizes', errors: [{ tag: 'sizeTooSmallOnceBound' }] })
    expect(checkGradient(long, { runs: 3, sizes: { time: 101 } }).failure).toBeUndefined()
  })

  test('a loss of nothing that has a gradient', () => {
    const constant = defineLoss({ name: 'constant', inputs: { x: f32('time') }, loss: ({ x }) => pipe(stopGradient(x), sum('time')) })

    expect(checkGradient(constant, { runs: 3 }).failure).toEqual({ tag: 'nothingCompared' })
  })
})
