import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { expect, test } from 'vitest'
import { evaluate } from '../../backends/cpu/evaluate.js'
import { canonicalise, rewritten, type Rule, type RuleName, rules } from '../../compiler/index.js'
import { type AnyTensor, build, printGraph, sizes, tensor } from '../../dsl/index.js'
import { allAgree, errorBounds } from '../../verify/error-bound.js'
import { law } from '../law.js'
import { type AnyProgram, anyProgram } from '../programs/index.js'
import { right } from '../right.js'

const names = (x: AnyTensor): readonly string[] => x.axes.map(({ name }) => name)

const widened = (x: AnyTensor): AnyTensor =>
  build.broadcastTo([{ name: 'nine', size: sizes.literal(9) }, ...x.axes, { name: 'ten', size: sizes.literal(10) }])(x)

/** What is on the left of each rule, of any f32 tensor. */
const lefts: { readonly [R in RuleName]: (x: AnyTensor) => AnyTensor } = {
  stopGradient: build.stopGradient,
  custom: build.custom({ name: 'same', forward: (x) => build.map('exp', x) }),
  checkpoint: (x) => build.checkpoint(build.map('exp', x), [x]),
  sameNames: (x) => build.rename(Object.fromEntries(names(x).map((name) => [name, name])))(x),
  sameAxes: (x) => tensor(x.dtype, x.axes, { tag: 'broadcast', x }),
  outerProduct: (x) => build.contract()(x, x),
  dotProduct: (x) => build.contract(...names(x).slice(-1))(x, x),
  oneHot: (x) => build.scatterAdd('chosen', build.map('toI32', build.filled(1, x)), sizes.literal(3), [])(x),
  rowByRow: (x) => pipe(x, widened, (y) => build.sum(...names(y))(y)),
  timesOne: (x) => build.map('mul', x, build.filled(1, x)),
  overOne: (x) => build.map('div', x, build.filled(1, x)),
  minusZero: (x) => build.map('sub', x, build.filled(0, x)),
  negTwice: (x) => build.map('neg', build.map('neg', x)),
}

/** A program that makes the left side of a rule of something that a random program makes; none where that has too few axes. */
const programWith = (name: RuleName, { program, outputs }: AnyProgram): AnyProgram['program'] | undefined => {
  const x = Object.values(outputs).find(({ x: { dtype } }) => dtype === 'f32')?.x
  if (x === undefined) return undefined
  const y = lefts[name](x)
  const rule = rules[name] as unknown as Rule
  return rule.left.includes(y.node.tag) && rule.when(y.node, y) ? { ...program, outputs: { y } } : undefined
}

const asEvaluated = (p: AnyProgram['program'], { inputs, state }: AnyProgram): unknown =>
  right(evaluate(p, inputs, state, { precision: 'f32' })).outputs

for (const name of Object.keys(rules) as readonly RuleName[]) {
  let applied = 0
  law(
    `${rules[name].says}, whatever x is`,
    fc.property(anyProgram, (p) => {
      const left = programWith(name, p)
      if (left === undefined) return
      applied += 1
      const [y] = rewritten([name])([left.outputs['y']!])
      const bounds = right(errorBounds(left, p.inputs, p.state)).outputs
      expect(y!.node).not.toEqual(left.outputs['y']!.node)
      expect(y!.axes.map((axis) => axis.name)).toEqual(left.outputs['y']!.axes.map((axis) => axis.name))
      expect(allAgree(bounds, asEvaluated({ ...left, outputs: { y: y! } }, p))).toEqual(E.right(undefined))
    }),
    { runs: 40 },
  )
  test(`${name} has been applied`, () => expect(applied).toBeGreaterThan(20))
}

law(
  'the canonical form of a canonical form is itself',
  fc.property(anyProgram, ({ program }) => {
    const roots = Object.values(program.outputs)
    const once = canonicalise(roots)
    const twice = canonicalise(once)
    const text = (all: readonly AnyTensor[]): string => printGraph(all.map((value, i) => ({ path: String(i), value })))
    return text(twice) === text(once)
  }),
)
