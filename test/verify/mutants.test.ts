import { pipe } from 'fp-ts/lib/function.js'
import { map as mapRecord } from 'fp-ts/lib/Record.js'
import { describe, expect, test } from 'vitest'
import { type Rules, rules, type Shares, sharesOf, summedTo } from '../../autodiff/index.js'
import {
  type AnyTensor,
  bool,
  build,
  contract,
  defineLoss,
  exp,
  f32,
  i32,
  type Loss,
  max,
  mul,
  type ScalarOp,
  scatterAdd,
  slice,
  sqrt,
  stopGradient,
  sum,
  tanh,
  where,
} from '../../dsl/index.js'
import { checkGradient, renderReport } from '../../verify/index.js'
import { crossEntropy, regression } from './losses.js'

/*
 * A verifier that never caught a wrong gradient has not been tested. Each mutant is one rule of reverse mode made wrong in a way that
 * has happened to somebody; the loss uses the rule.
 */

const { binary, map } = build

type Pullback = (ct: AnyTensor, y: AnyTensor) => Shares

const pullback: Pullback = (ct, y) => sharesOf(rules.pullbacks, ct, y)

/** The rules of the language, those of reverse mode by this one. */
const by = (rule: Pullback): Rules => ({
  ...rules,
  pullbacks: mapRecord(() => (ct: AnyTensor, _node: AnyTensor['node'], y: AnyTensor) => rule(ct, y))(rules.pullbacks),
})

/** Another rule for one scalar operation. */
const onOp =
  (op: ScalarOp, rule: (ct: AnyTensor, operands: readonly AnyTensor[], y: AnyTensor) => Shares): Pullback =>
  (ct, y) =>
    y.node.tag === 'map' && y.node.op === op ? rule(ct, y.node.operands, y) : pullback(ct, y)

/** The rule for one scalar operation, with each share changed. */
const changed =
  (op: ScalarOp, change: (share: AnyTensor, i: number) => AnyTensor): Pullback =>
  (ct, y) =>
    onOp(op, () => pullback(ct, y).map(([operand, share], i) => [operand, change(share, i)]))(ct, y)

const unaryLoss = (f: typeof exp) => defineLoss({ name: 'unary', inputs: { x: f32('time') }, loss: ({ x }) => pipe(f(x), sum('time')) })

const product = defineLoss({
  name: 'product',
  inputs: { x: f32('batch', 'time'), weight: f32('time') },
  loss: ({ x, weight }) => pipe(mul(x, weight), exp, sum('batch', 'time')),
})

const masked = defineLoss({
  name: 'masked',
  inputs: { x: f32('time'), mask: bool('time') },
  loss: ({ x, mask }) => pipe(x, exp, where(mask), sqrt, where(mask), sum('time')),
})

const greatest = defineLoss({
  name: 'greatest',
  inputs: { x: f32('time') },
  loss: ({ x }) => pipe(mul(x, x), max('time')),
})

const grouped = defineLoss({
  name: 'grouped',
  inputs: { x: f32('time'), ids: i32('time') },
  loss: ({ x, ids }) => {
    const groups = pipe(x, scatterAdd('group', ids, { size: 3 }))
    return contract('group')(groups, groups)
  },
})

const tail = defineLoss({
  name: 'tail',
  inputs: { x: f32('time') },
  loss: ({ x }) => pipe(x, slice('time', { from: 1 }), exp, sum('time')),
})

/** Stopping is forgotten: reverse mode goes through. */
const unstopped: Pullback = (ct, y) => (y.node.tag === 'stopGradient' ? [[y.node.x, ct]] : pullback(ct, y))

const weighted = defineLoss({
  name: 'weighted',
  inputs: { x: f32('time') },
  loss: ({ x }) => pipe(mul(stopGradient(exp(x)), x), sum('time')),
})

const on =
  <T extends AnyTensor['node']['tag']>(tag: T, rule: (ct: AnyTensor, node: Extract<AnyTensor['node'], { tag: T }>) => Shares): Pullback =>
  (ct, y) =>
    y.node.tag === tag ? rule(ct, y.node as never) : pullback(ct, y)

const mutants: Readonly<Record<string, { readonly loss: unknown; readonly rule: Pullback }>> = {
  'a wrong factor: exp′ = 2·exp': { loss: unaryLoss(exp), rule: changed('exp', (share) => binary('mul')(share, 2)) },
  'a wrong sign: the second share of sub': {
    loss: regression,
    rule: changed('sub', (share, i) => (i === 1 ? map('neg', share) : share)),
  },
  'a forgotten square: tanh′ = 1 − tanh': {
    loss: unaryLoss(tanh),
    rule: onOp('tanh', (ct, [x], y) => [[x!, binary('mul')(ct, binary('sub')(1, y))]]),
  },
  'operands swapped: mul gives each its own factor': {
    loss: product,
    rule: onOp('mul', (ct, operands) => operands.map((x) => [x, summedTo(x, binary('mul')(ct, x))])),
  },
  'a forgotten sum over an axis that was broadcast: its first element alone': {
    loss: product,
    rule: onOp('mul', (ct, [x, weight]) => [
      [x!, binary('mul')(ct, weight!)],
      [weight!, build.sum('batch')(build.sliceBetween('batch', 0, 1, 1)(binary('mul')(ct, x!)))],
    ]),
  },
  'a mask that multiplies: 0·∞ where it hides': {
    loss: masked,
    rule: onOp('select', (ct, [condition, x]) => [[x!, binary('mul')(ct, map('toF32', condition!))]]),
  },
  'a stopped gradient that flows': { loss: weighted, rule: unstopped },
  'the greatest’s gradient given to all': {
    loss: greatest,
    rule: on('max', (ct, { x }) => [[x, build.broadcastTo(x.axes)(ct)]]),
  },
  'a scattered sum’s gradient taken from the wrong place': {
    loss: grouped,
    rule: on('scatterAdd', (ct, { x, ids, axis }) => [
      [x, build.gather(axis)(map('max', binary('sub')(ids, 1), build.constant(0, 'i32')))(ct)],
    ]),
  },
  'a gathered row’s gradient counted twice': {
    loss: crossEntropy,
    rule: (ct, y) => (y.node.tag === 'gather' ? pullback(binary('add')(ct, ct), y) : pullback(ct, y)),
  },
  'a slice’s gradient one place off': {
    loss: tail,
    rule: on('slice', (ct, { x, axis, step }) => [[x, build.padAround(axis, 0, step)(ct)]]),
  },
  'a rule that is right at first order alone': {
    loss: unaryLoss(exp),
    rule: onOp('exp', (ct, [x], y) => [[x!, binary('mul')(ct, build.stopGradient(y))]]),
  },
}

describe('the verifier catches', () => {
  test.each(Object.entries(mutants))('%s', (_, { loss, rule }) => {
    expect(checkGradient(loss as Loss<never>, { runs: 60 }).failure).toBeUndefined()

    const report = checkGradient(loss as Loss<never>, { runs: 60, rules: by(rule) })
    const failure = report.failure
    if (failure === undefined || !('counterexample' in failure)) throw new Error(renderReport(report))
    const again = checkGradient(loss as Loss<never>, { rules: by(rule), seed: failure.seed, path: failure.shrinkPath })
    expect(again.failure).toEqual(failure)
  })
})
