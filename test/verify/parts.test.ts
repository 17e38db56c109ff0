import { pipe } from 'fp-ts/lib/function.js'
import { describe, expect, test } from 'vitest'
import { type Partials, partials, type Rules, rules, rulesFrom } from '../../autodiff/index.js'
import {
  abs,
  type AnyTensor,
  build,
  clip,
  defineLoss,
  exp,
  f32,
  floor,
  i32,
  type Loss,
  max,
  maximum,
  mul,
  relu,
  type Scalar,
  type ScalarOp,
  slice,
  sqrt,
  stopGradient,
  sub,
  sum,
  type Tensor,
  bool,
  where,
} from '../../dsl/index.js'
import { checkGradient, type CheckOptions, each, type Failure, renderReport } from '../../verify/index.js'
import fc from 'fast-check'

/*
 * Each part of the check finds a wrong derivative that every other part passes.
 */

const { binary, broadcastTo, map, select } = build

const of = (name: string, f: (x: Tensor<'time'>) => Scalar): Loss<never> =>
  defineLoss({ name, inputs: { x: f32('time') }, loss: ({ x }) => f(x) }) as unknown as Loss<never>

const withPartials = (op: ScalarOp, row: Partials): Rules => rulesFrom({ ...partials, [op]: row })

const failureOf = (loss: Loss<never>, options: CheckOptions = {}): Failure | undefined =>
  checkGradient(loss, { runs: 60, ...options }).failure

const exponentials = of('exponentials', (x) => pipe(exp(x), sum('time')))

/** exp′ = 2·exp, in forward mode, too. */
const doubled = withPartials('exp', (_x, y) => [(t) => binary('mul')(binary('mul')(t, y), 2)])

describe('a derivative is found that is wrong', () => {
  test.each([
    ['in both modes alike: by central differences', exponentials, doubled, { tag: 'gradientDiffers', order: 1 }],
    [
      'at second order alone',
      exponentials,
      withPartials('exp', (_x, y) => [(t) => binary('mul')(t, build.stopGradient(y))]),
      { tag: 'gradientDiffers', order: 2 },
    ],
    [
      'in forward mode alone: by reverse mode',
      of('tail', (x) => pipe(exp(x), slice('time', { from: 0 }), sum('time'))),
      {
        ...rules,
        pushforwards: { ...rules.pushforwards, slice: (node, y, tangentOf) => map('neg', rules.pushforwards.slice(node, y, tangentOf)!) },
      },
      { tag: 'modesDiffer' },
    ],
    [
      'where two operands tie: each gets all',
      defineLoss({ name: 'greater', inputs: { x: f32('time'), y: f32('time') }, loss: ({ x, y }) => pipe(maximum(x, y), sum('time')) }),
      withPartials('max', (x, y) => [(t) => select(binary('less')(x, y), 0, t), (t) => select(binary('less')(y, x), 0, t)]),
      { tag: 'tiesDiffer' },
    ],
    [
      'where elements of an axis tie: none gets anything',
      of('greatest', (x) => pipe(x, max('time'))),
      withMax((x, y) => {
        const attains = binary('equal')(x, broadcastTo(x.axes)(y))
        const alone = binary('equal')(build.sum('time')(map('toF32', attains)), 1)
        return map('and', attains, broadcastTo(x.axes)(alone))
      }),
      { tag: 'tiesDiffer' },
    ],
    [
      'in the value: a NaN, from a mask that multiplies',
      defineLoss({
        name: 'masked',
        inputs: { x: f32('time'), mask: bool('time') },
        loss: ({ x, mask }) => pipe(exp(x), where(mask), sqrt, where(mask), sum('time')),
      }),
      withPartials('select', (condition) => {
        const weight = map('toF32', condition)
        return ['none', (t) => binary('mul')(t, weight), (t) => binary('mul')(t, binary('sub')(1, weight))]
      }),
      { tag: 'notFinite', what: 'the gradient' },
    ],
    [
      'through what is stopped, which differences hold',
      of('weighted', (x) => pipe(mul(stopGradient(exp(x)), x), sum('time'))),
      {
        pullbacks: { ...rules.pullbacks, stopGradient: (ct, { x }) => [[x, ct]] },
        pushforwards: { ...rules.pushforwards, stopGradient: ({ x }, _y, tangentOf) => tangentOf(x) },
      },
      { tag: 'gradientDiffers' },
    ],
  ] as readonly (readonly [string, Loss<never>, Rules, Partial<Failure>])[])('%s', (_, loss, wrong, failure) => {
    expect(failureOf(loss)).toBeUndefined()
    expect(failureOf(loss, { rules: wrong })).toMatchObject(failure)
  })

  test('however small or great the loss is', () => {
    const scaled = (by: number) => of('scaled', (x) => mul(by, pipe(exp(x), sum('time'))))
    for (const by of [1e-12, 1e-6, 1e6, 1e12]) {
      expect(failureOf(scaled(by))).toBeUndefined()
      expect(failureOf(scaled(by), { rules: doubled })).toMatchObject({ tag: 'gradientDiffers', order: 1 })
    }
  })

  test('behind a great number that cancels, and no rounding is taken for it', () => {
    const lifted = of('lifted', (x) => pipe(sub(mul(1e6, x), mul(1e6, x)), (zero) => sub(exp(x), zero), sum('time')))
    expect(failureOf(lifted)).toBeUndefined()
    expect(failureOf(lifted, { rules: doubled })).toMatchObject({ tag: 'gradientDiffers', order: 1 })
  })
})

describe('at a kink', () => {
  const magnitude = of('magnitude', (x) => pipe(abs(x), sum('time')))
  const wrongAtZero = withPartials('abs', (x) => [
    (t) => select(binary('equal')(x, 0), binary('mul')(t, 3), binary('mul')(t, map('sign', x))),
  ])
  const hinge = of('hinge', (x) => pipe(relu(x), sum('time')))
  const boxed = of('boxed', (x) => pipe(x, clip(-1, 1), sum('time')))

  test('points are left out and counted', () => {
    const { failure, inputs } = checkGradient(magnitude, { rules: wrongAtZero })
    expect(failure).toBeUndefined()
    expect(inputs[0]!.kinks).toBeGreaterThan(0)
  })

  test('a slope that is none of the two sides, nor between them, is found where the loss says what it is to be', () => {
    expect(failureOf(magnitude, { rules: wrongAtZero, sides: { x: 'between' } })).toMatchObject({
      tag: 'gradientDiffers',
      order: 1,
      counterexample: { x: { sizes: [1], data: [0] } },
    })
  })

  test.each([
    ['|x| at 0 lies between', magnitude, 'between', undefined],
    ['|x| at 0 is not the slope to the right', magnitude, 'right', 'gradientDiffers'],
    ['the rectifier has its slope to the left', hinge, 'left', undefined],
    ['and not that to the right', hinge, 'right', 'gradientDiffers'],
    ['a clip passes at both bounds', boxed, 'between', undefined],
    ['which is not to the left of the lower one', boxed, 'left', 'gradientDiffers'],
  ] as const)('%s', (_, loss, side, tag) => expect(failureOf(loss, { sides: { x: side } })?.tag).toBe(tag))

  test('a jump has no slope to either side', () => {
    const stepped = of('stepped', (x) => pipe(mul(floor(x), x), sum('time')))
    expect(failureOf(stepped, { sides: { x: 'between' }, ranges: { x: each(fc.constantFrom(1, 2, 0.5)) } })).toBeUndefined()
  })
})

describe('where gradients are to flow', () => {
  const weight = (stop: boolean) =>
    defineLoss({
      name: 'weight',
      inputs: { logProbs: f32('time'), oldLogProbs: f32('time'), advantages: f32('time') },
      loss: ({ logProbs, oldLogProbs, advantages }) => {
        const ratio = exp(sub(logProbs, stopGradient(oldLogProbs)))
        return pipe(mul(mul(stop ? stopGradient(ratio) : ratio, logProbs), stopGradient(advantages)), sum('time'))
      },
    }) as unknown as Loss<never>

  test('as was said', () => expect(failureOf(weight(true), { gradients: { logProbs: 'partly' } })).toBeUndefined())

  test('a weight that nobody stopped', () => {
    const options: CheckOptions = { gradients: { logProbs: 'partly' } }
    expect(failureOf(weight(false))).toBeUndefined()
    expect(failureOf(weight(false), options)).toMatchObject({
      tag: 'flowDiffers',
      input: 'logProbs',
      expected: 'partly',
      found: { tag: 'gradient' },
    })
    expect(
      renderReport(checkGradient(weight(false), options))
        .split('\n')
        .slice(-3),
    ).toMatchInlineSnapshot(`
      [
        "the gradient by 'logProbs' of the loss 'weight'",
        "  because: it is to reach it on some ways alone and reaches it on every way",
        "  try: see the table of gradients; stopGradient stops one, and \`gradients\` says what is expected",
      ]
    `)
  })

  test('an input that was to have none, one that was to have one, and one that is not there', () => {
    const loss = of('loss', (x) => pipe(x, sum('time')))
    expect(failureOf(loss, { gradients: {} })).toMatchObject({ tag: 'flowDiffers', input: 'x', expected: undefined })
    expect(
      failureOf(
        of('none', (x) => pipe(stopGradient(x), sum('time'))),
        { gradients: { x: 'whole' } },
      ),
    ).toMatchObject({ input: 'x', expected: 'whole' })
    expect(failureOf(loss, { gradients: { x: 'whole', y: 'whole' } })).toMatchObject({ tag: 'flowDiffers', input: 'y' })
  })
})

describe('what was found', () => {
  test('is shrunk to the smallest values that show it', () => {
    expect(failureOf(exponentials, { rules: doubled })).toMatchObject({ counterexample: { x: { sizes: [1], data: [0] } }, index: 0 })
  })

  test('is found again by the seed and the path of its replay', () => {
    const failure = failureOf(exponentials, { rules: doubled, seed: 7 })
    if (failure === undefined || !('replay' in failure)) throw new Error('nothing was found')
    expect(failure.replay).toBe(`checkGradient(exponentials, { seed: 7, path: '${failure.shrinkPath}' })`)
    expect(failureOf(exponentials, { rules: doubled, seed: failure.seed, path: failure.shrinkPath })).toEqual(failure)
  })
})

test('values that an arbitrary makes and the loss cannot be run with are a failure, not a fault of the check', () => {
  const chosen = defineLoss({
    name: 'chosen',
    inputs: { x: f32('time'), ids: i32('row') },
    loss: ({ x, ids }) => pipe(build.gather('time')(ids)(x) as Tensor<'row'>, sum('row')),
  })
  const report = checkGradient(chosen, { ranges: { ids: each(fc.constant(99)) } })
  expect(report.failure).toMatchObject({
    tag: 'doesNotFit',
    errors: [{ tag: 'idOutOfRange', id: 99 }],
    counterexample: { ids: { sizes: [1] } },
  })
  expect(renderReport(report)).toContain('cannot be run with values')
})

/** The derivative of the greatest over time, given to the elements that `wins` says, in both modes. */
function withMax(wins: (x: AnyTensor, y: AnyTensor) => AnyTensor): Rules {
  return {
    pullbacks: { ...rules.pullbacks, max: (ct, { x }, y) => [[x, select(wins(x, y), broadcastTo(x.axes)(ct), 0)]] },
    pushforwards: {
      ...rules.pushforwards,
      max: ({ x, over }, y, tangentOf) => {
        const tangent = tangentOf(x)
        return tangent && build.sum(...over)(select(wins(x, y), tangent, 0))
      },
    },
  }
}
